import { mkdirSync, readdirSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import type { Store } from "../world/Store.js"
import { cpuShares, sharesTable } from "./cpuShares.js"

/** CPU profiles of the processes of a run. */
export interface Profiles {
  /** A file for the profile of a program that is started now with this setting. */
  readonly fileFor: (program: string, setting: unknown) => string
  /** The parts of CPU time in the profiles that were written, in Markdown. */
  readonly table: () => string
}

const ending = ".cpuprofile"

/** Collects profiles in a folder, which is created. */
export const collectProfiles = (folder: string): Profiles => {
  mkdirSync(folder, { recursive: true })
  let started = 0
  return {
    fileFor: (program, setting) => {
      const number = String(++started).padStart(2, "0")
      return resolve(folder, `${number} ${program}${storeOf(setting)}${ending}`)
    },
    table: () => {
      const files = readdirSync(folder).filter((file) => file.endsWith(ending))
      return sharesTable(
        files
          .sort()
          .map((file) => [
            file.slice(0, -ending.length),
            cpuShares(JSON.parse(readFileSync(join(folder, file), "utf8")))
          ])
      )
    }
  }
}

/** The kind of database of a program's setting, after a space. */
const storeOf = (setting: unknown): string => {
  const kind = (setting as { readonly store?: Partial<Store> } | null)?.store?.kind
  return kind === undefined ? "" : ` ${kind}`
}
