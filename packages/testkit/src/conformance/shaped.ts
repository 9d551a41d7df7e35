import { Either, Schema } from "effect"

/** The value, where it has exactly this shape: nothing missing, nothing more. Else it throws, and says all that is wrong. */
export const shaped = <A, I>(schema: Schema.Schema<A, I>, value: unknown, of: string): A => {
  const read = Schema.decodeUnknownEither(schema, { onExcessProperty: "error", errors: "all" })(value)
  if (Either.isLeft(read)) throw new Error(`${of}\n${read.left.message}`)
  return read.right
}
