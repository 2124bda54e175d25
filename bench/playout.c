/* Play over a table, in C, for comparison with our compiled Python.

   A position is a word: the index of its first move, shifted by NARROW, and the number of its moves;
   or 0 and 1 for a game that the first or the second seat has won. `aliases` is empty if all moves of
   a position are equally likely; else it holds for each move its own share of a column, shifted by
   NARROW, and the move that has the rest (Walker's method). */

#include <stdint.h>

#define LANES 256
#define LOW ((1u << NARROW) - 1)
#define BITS (32 - NARROW)
#define FRACTION ((1u << BITS) - 1)
#define LEAST (1u << NARROW)

static inline uint64_t mixed(uint64_t word) {
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9u;
    word = (word ^ (word >> 27)) * 0x94D049BB133111EBu;
    return word ^ (word >> 31);
}

static inline uint64_t rotated(uint64_t word, int by) { return word << by | word >> (64 - by); }

/* One game after the other, as anyone would write it. */
uint64_t one_by_one(uint32_t start, const uint32_t *after, const uint32_t *aliases, int64_t games,
                    int64_t limit, uint64_t key, uint32_t *room, int64_t *ends) {
    uint64_t state = mixed(key) | 1, steps = 0;
    (void)room;
    for (int64_t game = 0; game < games; game++) {
        uint32_t word = start;
        int64_t ply = 0;
        while (word >= LEAST && ply < limit) {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            uint32_t product = (uint32_t)(state >> (32 + NARROW)) * (word & LOW);
            uint32_t spot = (word >> NARROW) + (product >> BITS);
            if (aliases && (product & FRACTION) >= aliases[spot] >> NARROW)
                spot = (word >> NARROW) + (aliases[spot] & LOW);
            word = after[spot];
            ply++;
        }
        steps += ply;
        if (word < 2) ends[2 * (ply - 1) + word]++;
    }
    return steps;
}

/* All games at once, a move each in turn, with random numbers in wide rows. */
uint64_t all_at_once(uint32_t start, const uint32_t *after, const uint32_t *aliases, int64_t games,
                     int64_t limit, uint64_t key, uint32_t *room, int64_t *ends) {
    uint64_t ours[LANES], theirs[LANES], drawn[LANES], steps = 0;
    const uint32_t *draws = (const uint32_t *)drawn;
    uint32_t spots[2 * LANES], others[2 * LANES];
    for (int lane = 0; lane < LANES; lane++) {
        ours[lane] = mixed(key + 2 * lane + 1);
        theirs[lane] = mixed(key + 2 * lane + 2);
    }
    for (int64_t game = 0; game < games; game++) room[game] = start;
    int64_t alive = games;
    for (int64_t ply = 0; ply < limit && alive; ply++) {
        int64_t going = 0, first = 0;
        for (int64_t begin = 0; begin < alive; begin += 2 * LANES) {
            for (int lane = 0; lane < LANES; lane++) {
                uint64_t a = ours[lane], b = theirs[lane];
                drawn[lane] = rotated(a + b, 17) + a;
                b ^= a;
                ours[lane] = rotated(a, 49) ^ b ^ b << 21;
                theirs[lane] = rotated(b, 28);
            }
            int64_t size = alive - begin < 2 * LANES ? alive - begin : 2 * LANES;
            const uint32_t *block = room + begin;
            for (int64_t at = 0; at < size; at++)
                spots[at] = (block[at] >> NARROW) +
                            ((draws[at] >> NARROW) * (block[at] & LOW) >> BITS);
            if (aliases) {
                for (int64_t at = 0; at < size; at++) others[at] = aliases[spots[at]];
                for (int64_t at = 0; at < size; at++) {
                    uint32_t fraction = (draws[at] >> NARROW) * (block[at] & LOW) & FRACTION;
                    uint32_t other = (block[at] >> NARROW) + (others[at] & LOW);
                    spots[at] = fraction < others[at] >> NARROW ? spots[at] : other;
                }
            }
            for (int64_t at = 0; at < size; at++) {
                uint32_t word = after[spots[at]];
                room[going] = word;
                going += word >= LEAST;
                first += word < 1;
            }
        }
        steps += alive;
        ends[2 * ply] += first;
        ends[2 * ply + 1] += alive - going - first;
        alive = going;
    }
    return steps;
}
