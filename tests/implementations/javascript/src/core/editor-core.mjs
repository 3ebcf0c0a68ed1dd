/** The editor: a manager for each part of its state. */

export class EditorCore {
  project = new ProjectManager();
  scenes = new SceneManager();
  media = new MediaManager(this.project);
  playback = new PlaybackManager();
}

class ProjectManager {
  #active = null;

  /** Opens a project, or closes the one that is open with null. */
  open(project) {
    this.#active = project;
  }

  getActiveOrNull() {
    return this.#active;
  }
}

class SceneManager {
  #active = null;

  activate(scene) {
    this.#active = scene;
  }

  getActiveSceneOrNull() {
    return this.#active;
  }
}

class MediaManager {
  #assets = [];
  #projects;

  constructor(projects) {
    this.#projects = projects;
  }

  /** Loads the assets of the open project in place of those that were loaded. `duration` is in seconds. */
  load(descriptions) {
    const project = this.#projects.getActiveOrNull();
    this.#assets = descriptions.map((description) => new MediaAsset(description, project));
    if (project) project.assets = this.#assets;
  }

  getAssets() {
    return this.#assets;
  }
}

/** A loaded asset: it holds its file open, and knows the project that it belongs to. */
class MediaAsset {
  constructor({ id, name, type, duration }, project) {
    Object.assign(this, { id, name, type, duration, project });
    this.handle = { fileName: name, close: () => {} };
  }
}

class PlaybackManager {
  #seconds = 0;

  seek(seconds) {
    this.#seconds = seconds;
  }

  /** In seconds. */
  getCurrentTime() {
    return this.#seconds;
  }
}
