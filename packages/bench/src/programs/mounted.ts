import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { makeInterpreter, nodeListener, publicSurface } from "@parley/http"
import { Effect, ManagedRuntime } from "effect"
import { idleEngineOn } from "../world/parley.js"
import type { Store } from "../world/Store.js"
import { type Seed, seed } from "../world/seed.js"
import { answerOrders, settingOf } from "./answerOrders.js"

/** How the program is started. */
export interface MountedSetting {
  readonly store: Store
  readonly seed: Seed
}

const setting = settingOf<MountedSetting>()
await seed(setting.store, setting.seed)
const runtime = ManagedRuntime.make(idleEngineOn(setting.store))
const listener = await runtime.runPromise(
  Effect.gen(function* () {
    return yield* nodeListener(yield* makeInterpreter({ surfaces: [yield* publicSurface] }))
  })
)
const server = createServer(listener).on("clientError", listener.clientError)
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))

answerOrders<never>(() => Promise.resolve(null), `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
