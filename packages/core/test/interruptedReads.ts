import { Context, Effect, Layer } from "effect"
import { type Lookups, Storage } from "../src/ports/Storage.js"
import type { Wakeup } from "../src/ports/Wakeup.js"

/**
 * Wraps a storage so that `once.meanwhile` runs once: after the next read whose lookups match `isMeant`, or without it
 * before the next list.
 */
export const interruptedReads = (isMeant?: (lookups: Lookups) => boolean) => {
  const once = { meanwhile: Effect.void as Effect.Effect<unknown> }
  const interruption = Effect.suspend(() => {
    const { meanwhile } = once
    once.meanwhile = Effect.void
    return meanwhile
  })
  const beforeList = isMeant === undefined ? interruption : Effect.void

  /** The wrapped storage. */
  const over = <E>(storage: Layer.Layer<Storage | Wakeup, E>): Layer.Layer<Storage | Wakeup, E> =>
    Layer.map(storage, (context) => {
      const inner = Context.get(context, Storage)
      const read: Storage["read"] = (lookups) =>
        Effect.tap(inner.read(lookups), () => (isMeant?.(lookups) === true ? interruption : Effect.void))
      return Context.add(context, Storage, {
        ...inner,
        read,
        list: (page) => Effect.zipRight(beforeList, inner.list(page)),
        listConversations: (where, after, limit) =>
          Effect.zipRight(beforeList, inner.listConversations(where, after, limit))
      })
    })
  return { once, over }
}
