import { spawnSync } from "node:child_process"
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, type Scope } from "effect"
import type { ParleyProcess } from "./processes.js"

/** A way in which the disk under a SQLite file stops taking writes, and takes them again. */
export interface DiskFault {
  readonly name: string
  /** Why it cannot be had here, or null. */
  readonly missing: string | null
  /** What the host is started through. */
  readonly through: ReadonlyArray<string>
  /** Makes the folder for the database fit for it, while the scope lives. */
  readonly prepare: (folder: string) => Effect.Effect<void, never, Scope.Scope>
  readonly strike: (folder: string) => void
  readonly mend: (folder: string, host: ParleyProcess) => void
}

const run = (program: string, ...message: ReadonlyArray<string>) => {
  const { error, status, stderr } = spawnSync(program, message, { encoding: "utf8" })
  if (status !== 0) throw new Error(`${program} ${message.join(" ")}: ${error?.message ?? stderr.trim()}`)
}

/** What a try in a folder of its own fails with, or null. */
const reason = (attempt: (folder: string) => void): string | null => {
  const folder = mkdtempSync(join(tmpdir(), "parley-disk-"))
  try {
    attempt(folder)
    return null
  } catch (error) {
    return String(error)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const mountSmall = (folder: string) => run("mount", "-t", "tmpfs", "-o", "size=4m,mode=700", "tmpfs", folder)
const databaseFiles = (folder: string) => ["parley.db", "parley.db-wal"].map((name) => join(folder, name))

export const diskFaults: ReadonlyArray<DiskFault> = [
  {
    name: "a disk that is full",
    missing: reason((folder) => {
      mountSmall(folder)
      run("umount", folder)
    }),
    through: [],
    prepare: (folder) =>
      Effect.acquireRelease(
        Effect.sync(() => mountSmall(folder)),
        () => Effect.sync(() => run("umount", "--lazy", folder))
      ),
    strike: (folder) => {
      // Page by page, so that nothing is left.
      for (let n = 0; ; n++) {
        try {
          writeFileSync(join(folder, "ballast"), Buffer.alloc(4_096, n), { flag: "a" })
        } catch {
          return
        }
      }
    },
    mend: (folder) => rmSync(join(folder, "ballast"))
  },
  {
    name: "files that must not grow",
    missing: reason(() => run("prlimit", "--fsize=1048576:unlimited", "true")),
    through: ["prlimit", "--fsize=1048576:unlimited"],
    prepare: () => Effect.void,
    strike: () => {},
    mend: (_, { pid }) => run("prlimit", "--fsize=unlimited:unlimited", "--pid", `${pid}`)
  },
  {
    name: "a file that becomes read-only",
    missing: reason((folder) => {
      const file = openSync(join(folder, "file"), "w")
      run("chattr", "+i", join(folder, "file"))
      // Some file systems ask only when a file is opened.
      const written = reason(() => writeSync(file, "more")) === null
      run("chattr", "-i", join(folder, "file"))
      closeSync(file)
      if (written) throw new Error("open files stay writable here")
    }),
    through: [],
    prepare: (folder) => Effect.addFinalizer(() => Effect.sync(() => run("chattr", "-R", "-i", folder))),
    strike: (folder) => run("chattr", "+i", ...databaseFiles(folder)),
    mend: (folder) => run("chattr", "-i", ...databaseFiles(folder))
  }
]
