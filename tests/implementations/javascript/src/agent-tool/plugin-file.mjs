/** The plugin as a file in the data directory, from where OpenCode loads it. */
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const SOURCE = new URL("plugin.mjs", import.meta.url);
const IMPORT = /from "(?<specifier>[^"]+)"/g;

/**
 * Writes the plugin under `<data directory>/agent-tool/`, for its owner alone. It is the same for every child.
 *
 * @param {string} dataDirectory
 * @returns {Promise<string>} its file:// URL
 */
export async function materializePlugin(dataDirectory) {
  const folder = join(dataDirectory, "agent-tool");
  const path = join(folder, "openchamber.mjs");
  const source = await readFile(SOURCE, "utf8");
  // Nothing that it imports lies beside it there.
  const text = source.replaceAll(IMPORT, (_, specifier) => `from ${JSON.stringify(import.meta.resolve(specifier))}`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // An OpenCode that starts meanwhile reads the old file or the new one, and no half of either.
  const unfinished = `${path}.${process.pid}`;
  await writeFile(unfinished, text, { mode: 0o600 });
  await rename(unfinished, path);
  return pathToFileURL(path).href;
}
