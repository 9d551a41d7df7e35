import { Effect, type Scope } from "effect"
import type { DemoFile } from "../src/demo/DemoFile.js"
import { callAdmin } from "./calls.js"
import { type UnreliableReceiver, unreliableReceiver } from "./unreliableReceiver.js"

/** An application without limits, with an endpoint at each of these URLs that is subscribed to `contact.created`. */
export const subscribeToContacts = (demo: DemoFile, urls: ReadonlyArray<string>): Effect.Effect<void> =>
  Effect.gen(function* () {
    yield* callAdmin(demo, "PATCH", `/applications/${demo.application_id}`, {
      limits: { requests_per_minute: 1_000_000, sends_per_minute: 1_000_000 }
    })
    for (const url of urls) {
      yield* callAdmin(demo, "POST", `/applications/${demo.application_id}/webhook-endpoints`, {
        url,
        events: ["contact.created"]
      })
    }
  })

/** So many receivers that fail, with an endpoint each that is subscribed to `contact.created`. */
export const subscribedReceivers = (
  demo: DemoFile,
  count: number
): Effect.Effect<ReadonlyArray<UnreliableReceiver>, never, Scope.Scope> =>
  Effect.forEach(Array.from({ length: count }), (_, n) => unreliableReceiver(n + 1)).pipe(
    Effect.tap((receivers) =>
      subscribeToContacts(
        demo,
        receivers.map(({ url }) => url)
      )
    )
  )
