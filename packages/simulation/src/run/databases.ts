import { modelDatabase } from "./modelDatabase.js"
import type { OpenDatabase } from "./SimulatedDatabase.js"
import { sqliteDatabase } from "./sqliteDatabase.js"

/** The databases of histories, by their names. */
export const databases: { readonly [name: string]: OpenDatabase } = { model: modelDatabase, sqlite: sqliteDatabase }
