import { realpathSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import type { DriverName } from "./drivers/Driver.js"

/** A file that this process has open. */
export interface OpenFile {
  /** Where the program opened it. */
  readonly openedBy: string
  readonly driver: DriverName
}

/**
 * The files that this process has open, by their paths. Shared by all copies of this module: reloaded ones, those in
 * bundles, and those of other versions of Parley, which may bring another copy of SQLite. The locks of the operating
 * system belong to the process, so that two copies of SQLite in it do not see each other's
 * (https://sqlite.org/howtocorrupt.html).
 */
export const openFiles: Map<string, OpenFile> = (() => {
  const key = Symbol.for("@parley/sqlite/openFiles")
  // biome-ignore lint/style/noRestrictedGlobals: the copies of this module share nothing else.
  const shared = globalThis as { [name: symbol]: Map<string, OpenFile> | undefined }
  shared[key] ??= new Map()
  return shared[key]
})()

/** The same for all names of a file, which need not exist yet. */
export const pathOf = (file: string): string => {
  try {
    return realpathSync(file)
  } catch {
    return join(realpathSync(dirname(file)), basename(file))
  }
}
