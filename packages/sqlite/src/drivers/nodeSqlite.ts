import { Predicate } from "effect"
import type { Driver } from "./Driver.js"

/** The part of the module `node:sqlite` that is used; the types of Node 20 do not have it. */
export interface NodeSqlite {
  readonly DatabaseSync: new (
    file: string,
    options: { readonly readOnly: boolean }
  ) => {
    readonly exec: (statements: string) => void
    readonly prepare: (statement: string) => { readonly all: (...parameters: ReadonlyArray<unknown>) => Array<object> }
    readonly close: () => void
  }
}

/**
 * The module, on Node 22.13 and later; undefined on others. By a function, because bundlers and test runners do not
 * know all modules of Node.
 */
export const loadNodeSqlite = (): NodeSqlite | undefined => {
  // biome-ignore lint/style/noRestrictedGlobals: it loads a module of Node, which has no state.
  const { getBuiltinModule } = process
  return getBuiltinModule?.("node:sqlite") as NodeSqlite | undefined
}

/** SQLite's names of the result codes that callers distinguish. */
const names: { readonly [primaryCode: number]: string } = {
  5: "SQLITE_BUSY",
  6: "SQLITE_LOCKED",
  8: "SQLITE_READONLY",
  11: "SQLITE_CORRUPT",
  13: "SQLITE_FULL",
  14: "SQLITE_CANTOPEN",
  18: "SQLITE_TOOBIG",
  19: "SQLITE_CONSTRAINT",
  20: "SQLITE_MISMATCH",
  26: "SQLITE_NOTADB"
}

const withName = <A>(run: () => A): A => {
  try {
    return run()
  } catch (cause) {
    // Under Jest, errors of Node are of another realm: instances of another Error.
    if (Predicate.hasProperty(cause, "errcode") && typeof cause.errcode === "number") {
      // The low byte of an extended code is the primary one.
      Object.assign(cause, { code: names[cause.errcode & 0xff] ?? "SQLITE_ERROR" })
    }
    throw cause
  }
}

/** The driver of Node itself, without native code to install. */
export const nodeSqlite = ({ DatabaseSync }: NodeSqlite): Driver => ({
  name: "node:sqlite",
  open: (file, { lockTimeoutMs, readOnly = false }) => {
    const database = withName(() => new DatabaseSync(file, { readOnly }))
    const close = () => database.close()
    try {
      withName(() => database.exec(`PRAGMA busy_timeout = ${lockTimeoutMs}`))
    } catch (cause) {
      close()
      throw cause
    }
    return {
      prepare: (text) => {
        const statement = withName(() => database.prepare(text))
        const all = (parameters: ReadonlyArray<unknown>) => withName(() => statement.all(...parameters))
        return { all, values: (parameters) => all(parameters).map((row) => Object.values(row)) }
      },
      close
    }
  }
})
