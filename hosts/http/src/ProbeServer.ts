import { createServer } from "node:http"
import type { Storage } from "@parley/core"
import type { Settings } from "@parley/host-settings"
import { Effect, Layer } from "effect"
import { drained } from "./drained.js"
import { type CannotListen, listen, urlOf } from "./listen.js"
import { probes } from "./probes.js"

/**
 * Serves only the {@link probes}, on the port `PARLEY_PROBES_PORT`, while its scope lives. Does nothing if the port is
 * not set. For workers, and for servers whose public port must not expose the probes.
 */
export const layer = (settings: Settings): Layer.Layer<never, CannotListen, Storage> => {
  const { host, probesPort } = settings
  if (probesPort === null) return Layer.empty
  return Layer.scopedDiscard(
    Effect.gen(function* () {
      const answersProbe = yield* probes(settings)
      const server = createServer((request, response) => {
        if (!answersProbe(request, response)) response.writeHead(404).end()
      })
      yield* drained(server)
      const address = yield* listen(server, host, probesPort, "PARLEY_PROBES_PORT")
      yield* Effect.logInfo(`probes at ${urlOf(address)}`)
    })
  )
}
