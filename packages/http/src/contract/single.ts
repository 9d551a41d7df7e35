import { Schema } from "effect"

/** The envelope of a single resource: `{ data: <resource> }` (spec, General rules). */
export const single = <A, I>(resource: Schema.Schema<A, I>) => Schema.Struct({ data: resource })
