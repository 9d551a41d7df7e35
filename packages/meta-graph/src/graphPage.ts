import { ProviderUnavailable } from "@parley/core"
import { Effect, Schema } from "effect"

/** A page of a list of the Graph API. */
export interface GraphPage {
  readonly data: ReadonlyArray<unknown>
  /** The cursor of the next page; null on the last one. */
  readonly after: string | null
}

const decode = Schema.decodeUnknown(
  Schema.Struct({
    data: Schema.Array(Schema.Unknown),
    paging: Schema.optional(
      Schema.Struct({
        cursors: Schema.optional(Schema.Struct({ after: Schema.optional(Schema.String) })),
        next: Schema.optional(Schema.String)
      })
    )
  })
)

/** Reads the page in an answer. Fails with `ProviderUnavailable` on another shape. */
export const graphPage = (answer: unknown): Effect.Effect<GraphPage, ProviderUnavailable> =>
  Effect.mapBoth(decode(answer), {
    onFailure: () => new ProviderUnavailable({ reason: "an answer of another shape" }),
    // `next` is a URL that contains the token. The cursor suffices.
    onSuccess: ({ data, paging }) => ({
      data,
      after: paging?.next === undefined ? null : (paging.cursors?.after ?? null)
    })
  })
