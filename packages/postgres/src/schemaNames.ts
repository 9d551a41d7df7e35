/**
 * Why a text cannot be the name of the schema, or null. The names of channels contain it, of which Postgres takes 63
 * characters.
 */
export const schemaNameProblem = (name: string): string | null =>
  /^(?!pg_)[a-z_][a-z0-9_]{0,49}$/.test(name) && name !== "information_schema"
    ? null
    : "must be the name of a schema: at most 50 lower-case letters, digits and _, with a letter or _ first, and not pg_…"

/**
 * Suffix of the names of locks and channels, so that engines in several schemas of a database are separate. Empty
 * for `public`, where hosts find their tables without a schema.
 */
export const suffixOf = (schema: string | undefined): string =>
  schema === undefined || schema === "public" ? "" : `_${schema}`

/** The channel of notifications between the hosts of a schema. */
export const channelOf = (schema: string | undefined): string => `parley_work${suffixOf(schema)}`
