import type { Ids, Storage } from "@parley/core"
import { Ports, type Settings } from "@parley/host-settings"
import {
  type Administration,
  type ApiModule,
  adminModule,
  makeInterpreter,
  nodeServer,
  type PublicServices,
  publicModule
} from "@parley/http"
import type { SecretKey } from "@parley/node"
import { Context, Deferred, Effect, Layer } from "effect"
import { drained } from "./drained.js"
import { type CannotListen, listen, urlOf } from "./listen.js"
import * as ProbeServer from "./ProbeServer.js"
import { guarded } from "./probes.js"

const adminHostsOf = ({ adminHosts, publicUrl }: Settings): ReadonlyArray<string> =>
  publicUrl === null ? adminHosts : [...adminHosts, new URL(publicUrl).hostname]

/** A server that accepts connections. */
export interface HttpHost {
  /** The URL on this machine, such as `http://127.0.0.1:8080`. */
  readonly url: string
}
export const HttpHost = Context.GenericTag<HttpHost>("@parley/host-http/HttpHost")

/**
 * Serves `/api/v1`, `/admin/v1` and the probes while its scope lives. When the scope ends, it accepts no more
 * connections and finishes the requests in progress.
 */
export const layer = (
  settings: Settings
): Layer.Layer<HttpHost, CannotListen | SecretKey.SecretKeyInvalid, PublicServices | Administration | Ids | Storage> =>
  Layer.scoped(
    HttpHost,
    Effect.gen(function* () {
      const modules: readonly [ApiModule, ApiModule] = [
        yield* publicModule,
        yield* adminModule(yield* Ports.adminTokenOf(settings), { hosts: adminHostsOf(settings) })
      ]
      const { failedAttempts, publicUrl, trustedProxies } = settings
      const stopping = yield* Deferred.make<void>()
      const interpreter = yield* makeInterpreter({
        modules,
        trustedProxies,
        failedAttempts,
        stopping: Deferred.await(stopping),
        ...(publicUrl === null ? {} : { publicUrl })
      })
      const server = yield* nodeServer(interpreter, yield* guarded(settings))
      yield* drained(server)
      yield* Effect.addFinalizer(() => Deferred.succeed(stopping, undefined))
      const address = yield* listen(server, settings.host, settings.port)
      return { url: urlOf(address) }
    })
  ).pipe(Layer.merge(ProbeServer.layer(settings)))
