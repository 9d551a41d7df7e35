import type { ProviderContext } from "@parley/core"
import { Effect, Option, Ref, Stream } from "effect"
import { visitorMessageOf } from "./visitorMessageOf.js"

/** In ms. Proxies and browsers close a connection that is silent for too long. */
const keepAlive = 15_000
const pageLength = 100
const bytes = new TextEncoder()

/**
 * The messages of a handle's feed after a position, and all that follow, as server-sent events: `id` is the position,
 * `data` the message. Ends if the feed cannot be read, so that the reader reconnects.
 */
export const feedStream = (context: ProviderContext, handle: string, after: number): Stream.Stream<Uint8Array> =>
  Stream.unwrap(
    Effect.map(Ref.make(after), (place) => {
      const page = Effect.gen(function* () {
        const fed = yield* context.fed(handle, yield* Ref.get(place), pageLength)
        yield* Ref.update(place, (before) => fed.at(-1)?.sequence ?? before)
        const events = fed.map(({ sequence, message }) => event(sequence, visitorMessageOf(handle, message)))
        const more = fed.length < pageLength ? Option.none<null>() : Option.some(null)
        return [events.join(""), more] as const
      })
      const news = context.news(handle).pipe(
        Stream.buffer({ capacity: 1, strategy: "sliding" }),
        Stream.flatMap(() => Stream.paginateEffect(null, () => page)),
        Stream.filter((events) => events !== "")
      )
      const pulse = Stream.as(Stream.drop(Stream.tick(keepAlive), 1), ":\n\n")
      return Stream.concat(Stream.make("retry: 1000\n\n"), Stream.merge(news, pulse))
    })
  ).pipe(
    Stream.map((text) => bytes.encode(text)),
    Stream.catchAll(() => Stream.empty)
  )

const event = (id: number, data: object): string => `id: ${id}\ndata: ${JSON.stringify(data)}\n\n`
