/**
 * Every statement finds its rows by an index. A plan made while a table was small must not scan the table after it has
 * grown.
 */
export const plannerSettings: ReadonlyArray<readonly [name: string, value: string]> = [
  ["enable_seqscan", "off"],
  ["enable_hashjoin", "off"],
  ["enable_mergejoin", "off"],
  ["plan_cache_mode", "force_generic_plan"],
  ["jit", "off"]
]

/**
 * The settings of every connection: {@link plannerSettings}, and the schema in which statements find tables
 * (docs/reference/storage.md#postgres-schemas). Postgres searches `pg_catalog` before the path, and temporary tables
 * last because the path names them last.
 */
const settingsOf = (schema: string | undefined): ReadonlyArray<readonly [name: string, value: string]> =>
  schema === undefined ? plannerSettings : [...plannerSettings, ["search_path", `"${schema}", pg_temp`]]

/** How long the statements of a session may take, in ms. Absent: without a limit. */
export interface Timeouts {
  /** For a reply. The connection is closed after it. */
  readonly statementTimeoutMs?: number
  /** For the lock of a table or a row. */
  readonly lockTimeoutMs?: number
}

/**
 * The settings for a session. Without a statement timeout, that of the role or the server does not apply either:
 * migrations of large tables take long. Poolers refuse settings as a parameter of the connection.
 */
export const setForSession = (schema: string | undefined, { lockTimeoutMs, statementTimeoutMs }: Timeouts): string =>
  [
    ...settingsOf(schema),
    ...(statementTimeoutMs === undefined ? [["statement_timeout", "0"] as const] : []),
    ...(lockTimeoutMs === undefined ? [] : [["lock_timeout", `${lockTimeoutMs}`] as const])
  ]
    .map(([name, value]) => `SET ${name} = ${value}`)
    .join("; ")

const unquoted = (value: string): string => value.replaceAll('"', "")

/** Rows with the settings of the connection that differ. Postgres quotes only those names of schemas that need it. */
export const differing = (schema?: string): string =>
  `SELECT name FROM (VALUES ${settingsOf(schema)
    .map(([name, value]) => `('${name}', '${unquoted(value)}')`)
    .join(", ")}) AS s(name, value)
WHERE replace(pg_catalog.current_setting(name), '"', '') <> value`

/** The settings as defaults of the role in the database, for connections that have no session. */
export const setForRole = (role: string, database: string, schema?: string): string =>
  settingsOf(schema)
    .map(([name, value]) => `ALTER ROLE ${quoted(role)} IN DATABASE ${quoted(database)} SET ${name} = ${value};`)
    .join(" ")

/** The name as Postgres reads it in a statement, in quotes where it needs them. */
const quoted = (name: string): string => (/^[a-z_][a-z0-9_]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`)
