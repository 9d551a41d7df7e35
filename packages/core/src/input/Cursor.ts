import { createHash } from "node:crypto"
import { Either, Encoding, ParseResult, Schema } from "effect"

/** The filters of a list, by wire name; null where one is not used. */
export type Filters = { readonly [name: string]: string | number | boolean | null }

/**
 * The cursors of one list (decisions.md §11): opaque, versioned, good for ever. A cursor carries the position of the last
 * row shown and a hash of the list and its filters, and needs no secret: whoever forges one sees what they may see anyway.
 */
export interface Cursors<Position> {
  readonly encode: (filters: Filters, position: Position) => string
  /** The position, or in our own words why the text is no cursor of this list with these filters. */
  readonly decode: (filters: Filters, text: string) => Either.Either<Position, string>
}

/** Raised when the meaning of what cursors carry changes; older ones are then still read. */
const version = 1

/** The cursors of the list of that name. `position` says what identifies a place in it, as JSON. */
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

/** Short is enough: it tells mistakes, not attacks. Filters that are not used may be added later without harm. */
const hashOf = (list: string, filters: Filters): string => {
  const used = Object.entries(filters)
    .filter(([, value]) => value !== null)
    .sort(([one], [other]) => (one < other ? -1 : 1))
  return createHash("sha256")
    .update(JSON.stringify([list, used]))
    .digest("hex")
    .slice(0, 16)
}
