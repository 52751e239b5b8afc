"""Drawing on the sheet with real pointer events, and reading what it answers."""

from playwright.sync_api import expect

from ui.components.canvas import SIZE


def to_screen(page, strokes):
    """Points of the canvas, every third and the last one, as points of the window."""
    page.locator(".sheet").scroll_into_view_if_needed()
    box = page.locator(".sheet").bounding_box()
    scale = box["width"] / SIZE
    return [[(box["x"] + scale * x, box["y"] + scale * y) for x, y in thinned(stroke)] for stroke in strokes]


def thinned(stroke):
    return [*stroke[:-1:3], stroke[-1]]


def draw_with_mouse(page, strokes, lift=True):
    for stroke in to_screen(page, strokes):
        page.mouse.move(*stroke[0])
        page.mouse.down()
        for point in stroke[1:]:
            page.mouse.move(*point)
        if lift:
            page.mouse.up()


def draw_with_finger(page, strokes):
    """Touches as the browser itself gets them, so that scrolling would take them if it could."""
    session = page.context.new_cdp_session(page)
    for stroke in to_screen(page, strokes):
        kinds = ["touchStart"] + ["touchMove"] * (len(stroke) - 1)
        for kind, (x, y) in zip(kinds, stroke, strict=True):
            session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y}]})
        session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def verdict(page):
    return page.locator(".verdict .digit")


def empty_sheet(page):
    page.get_by_role("button", name="Clear", exact=True).click()
    expect(verdict(page)).to_have_text("?")


def sent_sizes(page):
    """Bytes of the messages that the page sends and gets from now on, as two lists."""
    sent, received = [], []
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.on("Network.webSocketFrameSent", lambda event: sent.append(len(event["response"]["payloadData"])))
    session.on("Network.webSocketFrameReceived", lambda event: received.append(event["response"]["payloadData"]))
    return sent, received
