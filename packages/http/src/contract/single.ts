import { Schema } from "effect"

/** The envelope of a single resource: `{ data: <resource> }` (docs/reference/requests.md#response-envelopes). */
export const single = <A, I>(resource: Schema.Schema<A, I>) => Schema.Struct({ data: resource })
