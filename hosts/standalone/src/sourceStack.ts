import { existsSync, readFileSync } from "node:fs"
import { SourceMap } from "node:module"
import { fileURLToPath } from "node:url"

/**
 * A stack trace with the positions in the sources, for `Error.prepareStackTrace`. It reads the map of a file when the
 * first stack trace names the file. Node's `--enable-source-maps` reads all maps at the start, and keeps them: 60 MB.
 */
export const sourceStack = (error: Error, frames: ReadonlyArray<NodeJS.CallSite>): string =>
  [`${error}`, ...frames.map((frame) => `    at ${inSource(`${frame}`)}`)].join("\n")

const maps = new Map<string, SourceMap | null>()

const mapOf = (url: string): SourceMap | null => {
  let map = maps.get(url)
  if (map === undefined) {
    const file = fileURLToPath(`${url}.map`)
    map = existsSync(file) ? new SourceMap(JSON.parse(readFileSync(file, "utf8"))) : null
    maps.set(url, map)
  }
  return map
}

/** The frame, with its position in a bundled file replaced by the one in the source. */
const inSource = (frame: string): string =>
  frame.replace(/(file:[^\s()]+\.m?js):(\d+):(\d+)/, (position, url, line, column) => {
    const origin = mapOf(url)?.findOrigin(Number(line), Number(column))
    if (origin === undefined || !("fileName" in origin)) return position
    return `${new URL(origin.fileName, url)}:${origin.lineNumber}:${origin.columnNumber}`
  })
