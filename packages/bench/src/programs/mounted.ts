import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { SandboxProvider } from "@parley/channel-sandbox"
import { makeInterpreter, nodeListener, publicSurface } from "@parley/http"
import { Effect, ManagedRuntime } from "effect"
import { holdUp } from "../world/idleLanes.js"
import { engineOn } from "../world/parley.js"
import type { Store } from "../world/Store.js"
import { type Seed, seed } from "../world/seed.js"
import { sender } from "../world/send.js"
import { answerOrders, settingOf } from "./answerOrders.js"

/** How the program is started. */
export interface MountedSetting {
  readonly store: Store
  readonly seed: Seed
}

/** Whether the engine stops handing messages over, or goes on. */
export type MountedOrder = { readonly lanes: "hold" | "release" }

const setting = settingOf<MountedSetting>()
await seed(setting.store, setting.seed)
const { hold, provider, release } = holdUp(SandboxProvider)
const runtime = ManagedRuntime.make(engineOn(setting.store, provider))
const send = await runtime.runPromise(sender)
const listener = await runtime.runPromise(
  Effect.gen(function* () {
    return yield* nodeListener(yield* makeInterpreter({ surfaces: [yield* publicSurface] }))
  })
)
const server = createServer(listener).on("clientError", listener.clientError)
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))

answerOrders<MountedOrder>(
  ({ lanes }) => runtime.runPromise(lanes === "hold" ? hold(send("known")) : release),
  `http://127.0.0.1:${(server.address() as AddressInfo).port}`
)
