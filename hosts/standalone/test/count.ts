import { rowsOf } from "./rowsOf.js"

/** The number of rows of a table, read past the host. */
export const count = async (
  folder: string,
  settings: { readonly [name: string]: string },
  table: string
): Promise<number> => Number((await rowsOf(folder, settings, `SELECT count(*) AS n FROM ${table}`))[0].n)
