import { createHash } from "node:crypto"
import { Either, Encoding, ParseResult, Schema } from "effect"

/** The filters of a list by wire name; null for an unused filter. */
export type Filters = { readonly [name: string]: string | number | boolean | null }

/**
 * Codec for the cursors of one list (docs/reference/pagination.md#cursors). A cursor is opaque and never expires. It
 * contains a version, a hash of the list and its filters, and the position of the last row. It needs no signature: a
 * forged cursor shows only rows that the caller can list anyway.
 */
export interface Cursors<Position> {
  readonly encode: (filters: Filters, position: Position) => string
  /** Right: the position. Left: the validation message, if the text is no cursor of this list with these filters. */
  readonly decode: (filters: Filters, text: string) => Either.Either<Position, string>
}

/** Format version. Raise it when the content changes, and keep decoding older versions. */
const version = 1

/** Creates the codec of a list. `list` names it; `position` is the schema of a position. */
export const cursors = <A, I>(list: string, position: Schema.Schema<A, I>): Cursors<A> => {
  const content = Schema.parseJson(Schema.Tuple(Schema.Literal(version), Schema.String, position))
  const encode = ParseResult.encodeSync(content)
  const decode = ParseResult.decodeUnknownEither(content)
  return {
    encode: (filters, at) => Encoding.encodeBase64Url(encode([version, hashOf(list, filters), at])),
    decode: (filters, text) => {
      const read = Either.flatMap(Encoding.decodeBase64UrlString(text), decode)
      if (Either.isLeft(read)) return Either.left("must be a cursor of this list")
      const [, hash, at] = read.right
      return hash === hashOf(list, filters)
        ? Either.right(at)
        : Either.left("must be used with the filters that it was made with")
    }
  }
}

/**
 * 64 bits of SHA-256: detects mistakes, not attacks. Unused filters are excluded, so that a list can get new filters
 * without invalidating cursors.
 */
const hashOf = (list: string, filters: Filters): string => {
  const used = Object.entries(filters)
    .filter(([, value]) => value !== null)
    .sort(([one], [other]) => (one < other ? -1 : 1))
  return createHash("sha256")
    .update(JSON.stringify([list, used]))
    .digest("hex")
    .slice(0, 16)
}
