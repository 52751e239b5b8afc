"""The dialog that shares a view: its link, a QR code, a frame for other pages, and what a class should see of it."""

from urllib.parse import urlencode, urlsplit

import streamlit as st

from dasksvd.common.language import say
from ui import kinds, links, navigation, wishes
from ui.figures import qr

#: Letters of a link from which on its QR code is too fine to be read from a distance.
FINE = 300
FRAME = '<iframe src="{}" width="100%" height="720" style="border: 0" title="DAS-KSVD"></iframe>'


def button() -> None:
    """A button in the header of every page that opens the dialog, and one that ends the presenter view."""
    with st.container(key="share", horizontal=True, width="content", gap="xsmall"):
        if wishes.current().presents:
            st.button(
                say("End the presenter view"),
                key="share_end",
                icon=":material/close_fullscreen:",
                type="tertiary",
                on_click=links.put,
                args=(wishes.PRESENT, kinds.SWITCH.format(False)),
            )
        if st.button(
            say("Share"), key="share_button", icon=":material/share:", type="tertiary", help=say("Share this view")
        ):
            _dialog()


def _dialog() -> None:
    st.dialog(say("Share this view"), width="medium")(_show)()


def _show() -> None:
    asked = wishes.current()
    controls = links.drawn()
    parts = {name: say(title) for name, (title, _) in wishes.PARTS.items()}
    pages = {
        f"{wishes.PAGE}{page.name}": say("Page {title}", title=say(page.title)) for page in navigation.PAGES.entries()
    }
    things = parts | pages | controls
    left, right = st.columns([3, 2], gap="medium")
    with left:
        presents = st.toggle(
            say("Presenter view"),
            asked.presents,
            key="share_present",
            help=say("Larger type and no sidebar, for a lecture's screen."),
        )
        hidden = st.multiselect(
            say("Hide"),
            list(things),
            [name for name in asked.hidden if name in things],
            format_func=lambda name: things[name],
            key="share_hide",
            help=say("Who opens the link does not see these."),
        )
        fixed = st.multiselect(
            say("Fix"),
            list(controls),
            [name for name in asked.fixed if name in controls],
            format_func=lambda name: controls[name],
            key="share_fix",
            help=say("Controls that keep the values they have now."),
        )
    link = link_to(links.search(), wishes.Wishes(tuple(hidden), tuple(fixed), presents))
    with right:
        _show_code(link)
    st.markdown(f"**{say('Link')}**")
    st.code(link, language=None, wrap_lines=True)
    st.markdown(f"**{say('Frame for a web page or a course platform')}**")
    st.code(FRAME.format(f"{link}{'&' if '?' in link else '?'}embed=true"), language=None, wrap_lines=True)
    if urlsplit(link).hostname in ("localhost", "127.0.0.1"):
        st.caption(
            say("This address works on this machine only. Others need the server's name or number in the network.")
        )


def _show_code(link: str) -> None:
    try:
        picture = qr.svg(link)
    except ValueError:
        st.caption(say("The link is too long for a QR code: clear the drawing, or copy the link."))
        return
    with st.container(key="qr"):
        st.image(picture, width="stretch")
    if len(link) > FINE:
        st.caption(say("A long link makes a fine code: show it large. A drawing is the longest part."))


def link_to(search: dict[str, str], asked: wishes.Wishes) -> str:
    """The address of this view with other wishes."""
    values = {name: text for name, text in search.items() if name not in links.WISHES}
    lists = ((wishes.HIDE, asked.hidden), (wishes.FIX, asked.fixed))
    values |= {name: wishes.NAMES.format(names) for name, names in lists if names}
    if asked.presents:
        values[wishes.PRESENT] = kinds.SWITCH.format(True)
    query = urlencode(values, safe="~/:.")
    return here() + (f"?{query}" if query else "")


def here() -> str:
    """The address of this page as the visitor's browser knows it, without values."""
    parts = urlsplit(st.context.url or "")
    name = navigation.path(links.page())
    paths = sorted(filter(None, map(navigation.path, navigation.PAGES)), key=len, reverse=True)
    root = parts.path.rstrip("/")
    for path in paths:
        if root.endswith(f"/{path}"):
            root = root.removesuffix(f"/{path}")
            break
    return f"{parts.scheme}://{parts.netloc}{root}/{name}"
