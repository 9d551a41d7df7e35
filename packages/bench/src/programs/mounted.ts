import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { Access } from "@parley/core"
import { type ApiModule, makeInterpreter, nodeListener, publicModule } from "@parley/http"
import { Effect, ManagedRuntime } from "effect"
import { idleEngineOn } from "../world/parley.js"
import type { Store } from "../world/Store.js"
import { apiKey, type Seed, seed } from "../world/seed.js"
import { answerOrders, settingOf } from "./answerOrders.js"

/** How the program is started. */
export interface MountedSetting {
  readonly store: Store
  readonly seed: Seed
  /** Whether access checks run: the difference is their cost. */
  readonly admission: "checked" | "open"
}

const setting = settingOf<MountedSetting>()
await seed(setting.store, setting.seed)
const runtime = ManagedRuntime.make(idleEngineOn(setting.store))

/** Admits all requests as the key's application, without checks of credentials, buckets and scopes. */
const open = Effect.map(
  Effect.flatMap(Access, (access) => access.authenticate(apiKey, "read")),
  (caller): ApiModule["policy"]["admission"] => ({
    admit: () => Effect.succeed(caller),
    missingScope: () => null
  })
)

const listener = await runtime.runPromise(
  Effect.gen(function* () {
    const checked = yield* publicModule
    const module =
      setting.admission === "checked" ? checked : { ...checked, policy: { ...checked.policy, admission: yield* open } }
    return yield* nodeListener(yield* makeInterpreter({ modules: [module] }))
  })
)
const server = createServer(listener).on("clientError", listener.clientError)
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))

answerOrders<never>(() => Promise.resolve(null), `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
