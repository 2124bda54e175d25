/* Galaxy Conquest enumerated and solved in C, as a measure of what the machine can do.
   A position is a code: planets in base 3, then the fleets of both players in base 2. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { PLANETS = 2187, FLEETS = 128, SIZE = PLANETS * FLEETS * FLEETS, TO_WIN = 4 };

static uint8_t owner[PLANETS][7], won[PLANETS]; /* won: 0 nobody, 1 or 2 the player with four */
static int8_t lead[PLANETS];
static int32_t power[7] = {1, 3, 9, 27, 81, 243, 729};

static void prepare(void) {
  for (int p = 0; p < PLANETS; p++) {
    int count[3] = {0, 0, 0};
    for (int at = 0, rest = p; at < 7; at++, rest /= 3) count[owner[p][at] = rest % 3]++;
    won[p] = count[1] >= TO_WIN ? 1 : count[2] >= TO_WIN ? 2 : 0;
    lead[p] = count[1] > count[2] ? 1 : count[2] > count[1] ? 2 : 0;
  }
}

/* Write the codes after each move of a position, and return how many there are. */
static int expand(int32_t code, int mover, int32_t *after) {
  int planets = code >> 14, fleet = mover ? code & 127 : code >> 7 & 127, count = 0;
  if (won[planets]) return 0;
  for (int planet = 0; planet < 7; planet++) {
    if (owner[planets][planet]) continue;
    for (int ship = 0; ship < 7; ship++) {
      if (!(fleet >> ship & 1)) continue;
      int32_t next = code - (1 << ship << (mover ? 0 : 7));
      if (ship >= planet) next += (1 + mover) * power[planet] << 14;
      after[count++] = next;
    }
  }
  return count;
}

int main(void) {
  struct timespec begun, ended;
  clock_gettime(CLOCK_MONOTONIC, &begun);
  prepare();
  uint8_t *seen = calloc(SIZE, 1);
  int8_t *value = calloc(SIZE, 1); /* for the player to move */
  int32_t *queue = malloc(sizeof *queue * 5000000), after[49];
  int64_t found = 1, layer[16], moves = 0;
  int depth = 0;
  queue[0] = FLEETS * FLEETS - 1;
  seen[queue[0]] = 1;
  for (int64_t done = 0; done < found; depth++) {
    layer[depth] = done;
    for (int64_t end = found; done < end; done++) {
      int count = expand(queue[done], depth & 1, after);
      moves += count;
      for (int at = 0; at < count; at++)
        if (!seen[after[at]]) seen[after[at]] = 1, queue[found++] = after[at];
    }
  }
  layer[depth] = found;
  while (depth--) {
    int mover = depth & 1;
    for (int64_t at = layer[depth]; at < layer[depth + 1]; at++) {
      int32_t code = queue[at];
      int count = expand(code, mover, after), planets = code >> 14, best = -1;
      if (!count) { /* four planets, or more planets, or the player who moved second */
        int winner = won[planets] ? won[planets] : lead[planets] ? lead[planets] : 2 - mover;
        value[code] = winner == mover + 1 ? 1 : -1;
        continue;
      }
      for (int move = 0; move < count && best < 1; move++)
        if (-value[after[move]] > best) best = -value[after[move]];
      value[code] = best;
    }
  }
  clock_gettime(CLOCK_MONOTONIC, &ended);
  printf("%ld %ld %d %.4f\n", (long)found, (long)moves, value[queue[0]],
         ended.tv_sec - begun.tv_sec + (ended.tv_nsec - begun.tv_nsec) / 1e9);
  return 0;
}
