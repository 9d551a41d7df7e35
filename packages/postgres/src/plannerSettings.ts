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

/** {@link plannerSettings} for a session. Poolers refuse them as a parameter of the connection. */
export const setForSession = plannerSettings.map(([name, value]) => `SET ${name} = ${value}`).join("; ")

/** Rows with the settings of the connection that differ. */
export const differing = `SELECT name FROM (VALUES ${plannerSettings.map(([name, value]) => `('${name}', '${value}')`).join(", ")}) AS s(name, value)
WHERE current_setting(name) <> value`

/** {@link plannerSettings} as defaults of the role in the database, for connections that have no session. */
export const setForRole = (role: string, database: string): string =>
  plannerSettings
    .map(([name, value]) => `ALTER ROLE ${quoted(role)} IN DATABASE ${quoted(database)} SET ${name} = ${value};`)
    .join(" ")

const quoted = (name: string): string => (/^[a-z_][a-z0-9_]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`)
