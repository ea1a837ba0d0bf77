"""The code blocks of the tool specification v0.8, from tests/data/seeds/v1alpha1.md, which has them as they are written."""
import pathlib
import re

TEXT = pathlib.Path(__file__).resolve().parents[1] / "data" / "seeds" / "v1alpha1.md"


def blocks(section, language="typescript"):
    """All blocks of a section, e.g. '4.2'."""
    parts = re.split(r"(?m)^## (\d+\.\d+) .*\n", TEXT.read_text())
    found = dict(zip(parts[1::2], parts[2::2]))[section]
    return re.findall(rf"(?ms)^```{language}\n(.*?)^```$", found)


def block(section, language="typescript"):
    (only,) = blocks(section, language)
    return only


def code(section):
    """The block as a module: §6.3 shows the result behind its code, and §9.3 is the inside of `register`."""
    text = block(section)
    if section == "6.3":
        return text[:text.index("// 결과\n")]
    if section == "9.3":
        return f"export async function register(api: ExtensionApi): Promise<void> {{\n{text}}}\n"
    return text
