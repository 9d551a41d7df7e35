const statement = "SELECT workspace_id FROM applications WHERE id = ?"

/** A prepared statement of `better-sqlite3` or `node:sqlite`; one of a wrapper may lack `get`. */
interface Prepared {
  readonly get?: (...values: ReadonlyArray<string>) => { readonly workspace_id: string } | undefined
}

/**
 * The workspace of an application, read on a handle of the caller and thus at once; null if there is no such
 * application or the handle cannot read. Throws what the driver throws, such as for a file without Parley's tables.
 */
export const workspaceIn = (
  handle: { readonly prepare: (text: string) => object },
  applicationId: string
): string | null => {
  const prepared = handle.prepare(statement) as Prepared
  return prepared.get?.(applicationId.toLowerCase())?.workspace_id ?? null
}
