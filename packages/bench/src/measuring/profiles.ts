import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import type { Store } from "../world/Store.js"
import { allocationShares, cpuShares, sharesTable } from "./cpuShares.js"

/** Profiles of the CPU time and of the allocations of the processes of a run. */
export interface Profiles {
  /** A file for the profile of a program that is started now with this setting. */
  readonly fileFor: (program: string, setting: unknown) => string
  /** The parts of CPU time, and of allocated bytes, in the profiles that were written, in Markdown. */
  readonly table: () => string
}

const ending = ".cpuprofile"

/** The file for the allocations of a program whose CPU profile is in `file`. Hosts write none. */
export const allocationFile = (file: string): string => file.replace(/[.]cpuprofile$/, ".heapprofile")

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
      const files = readdirSync(folder)
        .filter((file) => file.endsWith(ending))
        .sort()
      const nameOf = (file: string) => file.slice(0, -ending.length)
      const read = (file: string) => JSON.parse(readFileSync(join(folder, file), "utf8"))
      const allocating = files.filter((file) => existsSync(join(folder, allocationFile(file))))
      return [
        sharesTable(
          "CPU",
          files.map((file) => [nameOf(file), cpuShares(read(file))])
        ),
        sharesTable(
          "allocated",
          allocating.map((file) => [nameOf(file), allocationShares(read(allocationFile(file)))])
        )
      ].join("\n\n")
    }
  }
}

/** The kind of database of a program's setting, after a space. */
const storeOf = (setting: unknown): string => {
  const kind = (setting as { readonly store?: Partial<Store> } | null)?.store?.kind
  return kind === undefined ? "" : ` ${kind}`
}
