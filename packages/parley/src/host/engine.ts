import { Administration, Engine, type ReadError } from "@parley/core"
import { Layer } from "effect"
import { type SecretKeyMismatch, secretsReadable } from "./secretsReadable.js"

/**
 * The engine and its administration on these ports, once the secrets in the storage have proved readable. `secretKeySetting`
 * says where the secret key comes from, for the error.
 */
export const engine = <A, E>(
  ports: Layer.Layer<Engine.Ports | A, E>,
  secretKeySetting: string
): Layer.Layer<Engine.Engine | Administration.Administration | Engine.Ports | A, E | SecretKeyMismatch | ReadError> =>
  Administration.layer.pipe(
    Layer.provideMerge(Engine.layer),
    Layer.provideMerge(Layer.effectDiscard(secretsReadable(secretKeySetting))),
    Layer.provideMerge(ports)
  )
