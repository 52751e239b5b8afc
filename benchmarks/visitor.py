"""A visitor without a browser: speaks the dashboard's websocket, honestly or not."""

import json
import time
from contextlib import ExitStack
from typing import Any

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from websockets.sync.client import connect


class Visitor:
    """One tab on one page.

    Parameters
    ----------
    address : str
        As of :func:`benchmarks.server.dashboard`.
    page : str
        The page's name in the URL.
    """

    def __init__(self, address: str, page: str):
        socket = address.replace("http", "ws") + "/_stcore/stream"
        self._open = ExitStack()
        self.socket = self._open.enter_context(
            connect(socket, origin=address, subprotocols=["streamlit"], max_size=None, compression=None)
        )
        self.page = page
        self.query = ""
        self.components: dict[str, Any] = {}
        self.widgets: dict[str, str] = {}
        self.errors: list[str] = []
        self.received = 0

    def run(self, states: list[WidgetState] = (), timeout: float = 60) -> float:
        """Run the page's script with widget states; seconds until it has finished.

        Afterwards ``components`` has the data of every component shown, ``widgets`` the ids of widgets by key,
        ``errors`` what the error page says.
        """
        message = BackMsg()
        message.rerun_script.page_name = self.page
        message.rerun_script.query_string = self.query
        message.rerun_script.widget_states.CopyFrom(WidgetStates(widgets=list(states)))
        return self.send(message.SerializeToString(), timeout)

    def send(self, content: bytes, timeout: float = 60) -> float:
        """Send one message as it is; seconds until a script has finished."""
        self.errors.clear()
        started = time.monotonic()
        self.socket.send(content)
        while True:
            answer = ForwardMsg()
            received = self.socket.recv(timeout=timeout)
            self.received += len(received)
            answer.ParseFromString(received)
            self._note(answer)
            if answer.WhichOneof("type") == "script_finished" and answer.script_finished != 2:  # not ended early
                return time.monotonic() - started

    def _note(self, answer: ForwardMsg) -> None:
        element = answer.delta.new_element
        kind = element.WhichOneof("type")
        if kind == "exception":
            self.errors.append(element.exception.message)
        elif kind == "bidi_component":
            self.widgets[element.bidi_component.component_name] = element.bidi_component.id
            data = element.bidi_component.json or element.bidi_component.mixed.json
            self.components[element.bidi_component.component_name] = json.loads(data) if data else None
        elif kind is not None and hasattr(getattr(element, kind), "id"):
            self.widgets[getattr(element, kind).id] = kind

    def state(self, component: str, text: str) -> WidgetState:
        """A component's state from JSON text, which may be nonsense."""
        return WidgetState(id=self.widgets[component], json_value=text)

    def close(self) -> None:
        """Close the tab."""
        self._open.close()
