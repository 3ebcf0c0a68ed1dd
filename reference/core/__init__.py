"""A small editor core: just enough for an adapter to read, with what must not leave it."""

from dataclasses import dataclass, field


@dataclass(eq=False)
class Project:
    """An open project."""

    id: str


@dataclass(eq=False)
class Scene:
    """A scene of a project."""

    id: str


@dataclass(eq=False)
class MediaAsset:
    """An imported file, with a handle that no JSON can hold and a reference back to the editor that holds it."""

    id: str
    name: str
    type: str
    duration: float | None
    handle: object = field(repr=False)
    editor: "EditorCore" = field(repr=False)


@dataclass(eq=False)
class ProjectManager:
    """Knows the active project."""

    editor: "EditorCore" = field(repr=False)
    active: Project | None = None

    def get_active_or_null(self) -> Project | None:
        """Give the active project, None if there is none."""
        return self.active


@dataclass(eq=False)
class SceneManager:
    """Knows the active scene."""

    editor: "EditorCore" = field(repr=False)
    active: Scene | None = None

    def get_active_scene_or_null(self) -> Scene | None:
        """Give the active scene, None if there is none."""
        return self.active


@dataclass(eq=False)
class MediaManager:
    """Holds the imported media."""

    editor: "EditorCore" = field(repr=False)
    assets: list[MediaAsset] = field(default_factory=list)

    def get_assets(self) -> list[MediaAsset]:
        """Give the assets in the order of their import."""
        return self.assets


@dataclass(eq=False)
class PlaybackManager:
    """Knows where the playhead is."""

    editor: "EditorCore" = field(repr=False)
    time_ms: float = 0

    def get_current_time(self) -> float:
        """Give the playhead's position in milliseconds."""
        return self.time_ms


class EditorCore:
    """The editor: its managers, each of which knows it in turn."""

    def __init__(self) -> None:
        self.project = ProjectManager(self)
        self.scenes = SceneManager(self)
        self.media = MediaManager(self)
        self.playback = PlaybackManager(self)
