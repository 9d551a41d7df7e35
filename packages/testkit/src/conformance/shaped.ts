import { Either, Schema } from "effect"

/** The value, if it has exactly this shape. Otherwise throws with all missing, unexpected and invalid fields. */
export const shaped = <A, I>(schema: Schema.Schema<A, I>, value: unknown, of: string): A => {
  const read = Schema.decodeUnknownEither(schema, { onExcessProperty: "error", errors: "all" })(value)
  if (Either.isLeft(read)) throw new Error(`${of}\n${read.left.message}`)
  return read.right
}
