"""A page in a browser without a window: what a script measures on it."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from html import unescape
from pathlib import Path
from typing import Any

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
OPTIONS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars",
)  # fmt: skip


def measured(page: str, script: str, folder: Path, width: int = 1200) -> Any:
    """What the expression `script` gives on the page at this width [px]; the page itself has no scripts."""
    path = folder / "page.html"
    # Fonts that the page carries are decoded after its text is laid out once.
    report = (
        f"<script>document.fonts.ready.then(() => {{ document.title = 'found ' + JSON.stringify({script}) }})</script>"
    )
    # A frame is as narrow as it is told to be; the window is at least 500 px wide.
    path.write_text(page.replace("</body>", f"{report}</body>"), encoding="utf-8")
    frame = folder / "frame.html"
    frame.write_text(
        f'<iframe src="page.html" width="{width}" height="900" style="border: 0"></iframe>'
        "<script>onload = () => frames[0].document.fonts.ready.then(() => setTimeout(() => "
        "{ document.title = frames[0].document.title }))</script>"
    )
    command = [str(BROWSER), *OPTIONS, f"--user-data-dir={folder / 'profile'}", "--allow-file-access-from-files"]
    command += ["--virtual-time-budget=10000", "--dump-dom", frame.as_uri()]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    title = re.search(r"<title>found (.*?)</title>", done.stdout, re.DOTALL)
    assert title, done.stderr[-2000:]
    return json.loads(unescape(title[1]))
