"""The whole way without Slack: a pretended one on loopback, which agrees as soon as the link is opened.

usage: demo.py PATH-TO-GDN
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "tests/support"))
from fake_slack_oauth import CLIENT_ID, CLIENT_SECRET, TEAM, FakeSlackOAuth  # noqa: E402


def bundle_for(slack, folder):
    """A copy of the example with the addresses of the pretended Slack."""
    bundle = pathlib.Path(shutil.copytree(HERE, folder / "bundle"))
    for name in ("goondan.yaml", "tools/slack/index.mjs"):
        path = bundle / name
        path.write_text(path.read_text().replace("https://slack.com", slack.url))
    return bundle


def open_link(link):
    """What a person does with a browser."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(link) as page:
        said = re.search(r"<p>(.*)</p>", page.read().decode())
    print(f"(somebody opens the link, agrees, and is told: {said[1]})", flush=True)


def main(gdn):
    with FakeSlackOAuth() as slack, tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        environment = {**os.environ, "GOONDAN_STATE_ROOT": str(folder / "state"), "SLACK_CLIENT_ID": CLIENT_ID,
                       "SLACK_CLIENT_SECRET": CLIENT_SECRET}
        command = [gdn, "run", bundle_for(slack, folder), "--subject", f"global=slack:team:{TEAM}", "--wait-auth",
                   "The build is green."]
        run = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, text=True)
        opened = False
        for line in run.stdout:
            print(line, end="", flush=True)
            link = re.search(re.escape(slack.url) + r"/oauth/v2/authorize\S+", line)
            if link and not opened:
                opened = True
                open_link(link[0])
        code = run.wait()
        print("In the channel:", [message["text"] for message in slack.channels["C01GENERAL"]])
        return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
