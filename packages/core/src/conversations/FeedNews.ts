import { Context, Duration, Effect, Layer, Queue, Stream } from "effect"
import { lookup, type ReadError, Storage } from "../ports/Storage.js"

/** A feed, by whose it is. */
export interface FeedKey {
  readonly connectionId: string
  /** Normalised. */
  readonly handle: string
}

/** Tells whoever watches a feed that there may be more in it. */
export interface FeedNews {
  /** Emits at once, and whenever there may be more; never ends. What other hosts put in is seen within {@link lookMs}. */
  readonly of: (key: FeedKey) => Stream.Stream<void>
  /** Says how long a feed is since this process put something in. */
  readonly tell: (key: FeedKey, fed: number) => void
}
export const FeedNews = Context.GenericTag<FeedNews>("@parley/core/FeedNews")

/** How often the feeds that are watched are looked at, in ms. */
const lookMs = 500
/** How many feeds are looked at in one read. */
const together = 500

interface Watched extends FeedKey {
  /** Its length when it was last seen; null: not yet. */
  fed: number | null
  /** Of everybody who watches; each holds one piece of news at most. */
  readonly news: Set<Queue.Queue<void>>
}

const make = Effect.gen(function* () {
  const storage = yield* Storage
  const feeds = new Map<string, Watched>()
  // Open while anybody watches: nothing runs while nobody does.
  const watching = yield* Effect.makeLatch()

  const saw = (feed: Watched, fed: number): void => {
    if (fed === feed.fed) return
    feed.fed = fed
    for (const queue of feed.news) queue.unsafeOffer(undefined)
  }

  const look: Effect.Effect<void, ReadError> = Effect.gen(function* () {
    const all = [...feeds.values()]
    for (let from = 0; from < all.length; from += together) {
      const some = all.slice(from, from + together)
      const found = yield* storage.read(
        Object.fromEntries(
          some.map(({ connectionId, handle }, n) => [n, lookup("conversations", { connectionId, handle })])
        )
      )
      for (const [n, feed] of some.entries()) saw(feed, found[n]?.[0]?.fed ?? 0)
    }
  })

  yield* look.pipe(
    Effect.catchAll((error) => Effect.logDebug(`feeds could not be looked at: ${error.message}`)),
    watching.whenOpen,
    Effect.zipRight(Effect.sleep(Duration.millis(lookMs))),
    Effect.forever,
    Effect.forkScoped
  )

  const watch = (key: FeedKey): Effect.Effect<Queue.Queue<void>> =>
    Effect.map(Queue.dropping<void>(1), (queue) => {
      const feed = feeds.get(nameOf(key)) ?? { ...key, fed: null, news: new Set() }
      feeds.set(nameOf(key), feed)
      feed.news.add(queue)
      queue.unsafeOffer(undefined)
      watching.unsafeOpen()
      return queue
    })
  const unwatch = (key: FeedKey, queue: Queue.Queue<void>): void => {
    const feed = feeds.get(nameOf(key))
    feed?.news.delete(queue)
    if (feed?.news.size === 0) feeds.delete(nameOf(key))
    if (feeds.size === 0) watching.unsafeClose()
  }

  return FeedNews.of({
    of: (key) =>
      Stream.acquireRelease(watch(key), (queue) => Effect.sync(() => unwatch(key, queue))).pipe(
        Stream.flatMap((queue) => Stream.fromQueue(queue))
      ),
    tell: (key, fed) => {
      const feed = feeds.get(nameOf(key))
      if (feed !== undefined) saw(feed, fed)
    }
  })
})

const nameOf = ({ connectionId, handle }: FeedKey): string => `${connectionId} ${handle}`

export const layer: Layer.Layer<FeedNews, never, Storage> = Layer.scoped(FeedNews, make)
