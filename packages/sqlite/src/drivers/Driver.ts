/** The values that are bound to the parameters of a statement. */
export type Parameters = ReadonlyArray<unknown>

/** A prepared statement. */
export interface Prepared {
  /** Runs it; its rows, by the names of the columns, or none if it has no result. */
  readonly all: (parameters: Parameters) => ReadonlyArray<object>
  /** Runs it; its rows as lists. */
  readonly values: (parameters: Parameters) => ReadonlyArray<ReadonlyArray<unknown>>
}

/**
 * A connection to a database file. It blocks the process. Errors of SQLite have a `code` with SQLite's name, such as
 * `SQLITE_BUSY`.
 */
export interface Connection {
  readonly prepare: (statement: string) => Prepared
  readonly close: () => void
}

/** How a connection is opened. */
export interface ConnectionOptions {
  /** Whether writes are refused, and a missing file is not created. Default: false. */
  readonly readOnly?: boolean
  /** The wait for locks of other connections, in ms; the process is blocked meanwhile. */
  readonly lockTimeoutMs: number
}

/** A library that has SQLite: `better-sqlite3`, or `node:sqlite` of Node itself. */
export interface Driver {
  readonly name: DriverName
  readonly open: (file: string, options: ConnectionOptions) => Connection
}

/** Opens a connection and runs its first statement, at which SQLite reads the file. Closes it if that fails. */
export const openWith = (driver: Driver, file: string, options: ConnectionOptions, first: string): Connection => {
  const connection = driver.open(file, options)
  try {
    connection.prepare(first).all([])
    return connection
  } catch (cause) {
    connection.close()
    throw cause
  }
}

/** The drivers, in the order in which they are taken. */
export const driverNames = ["better-sqlite3", "node:sqlite"] as const
export type DriverName = (typeof driverNames)[number]
