import type { HttpApi, HttpApiEndpoint, HttpApiGroup } from "@effect/platform"
import type { ErrorCode } from "@parley/core"
import { Context, Option } from "effect"
import { Raises } from "../contract/Raises.js"
import { RequiredScopes } from "../contract/RequiredScopes.js"
import { TakesFile } from "../contract/TakesFile.js"
import { idempotencyKeyOf } from "../server/Endpoint.js"

/** An endpoint with what surrounds it in its contract. */
export interface Described {
  readonly api: HttpApi.HttpApi.AnyWithProps
  readonly group: HttpApiGroup.HttpApiGroup.AnyWithProps
  readonly endpoint: HttpApiEndpoint.HttpApiEndpoint.AnyWithProps
  /** Of all three; the endpoint's own win. */
  readonly annotations: Context.Context<never>
}

/** The codes that any operation raises, whatever it does. */
const always: ReadonlyArray<ErrorCode> = ["method_not_allowed", "rate_limited", "internal_error", "service_unavailable"]

/**
 * Every code that an endpoint raises: by the checks that its contract asks for
 * (docs/reference/requests.md#order-of-checks ; docs/reference/errors.md#codes-of-the-public-interface), and its own.
 */
export const raisedCodes = ({ api, group, endpoint, annotations }: Described): ReadonlyArray<ErrorCode> => {
  const takesBody = Option.isSome(endpoint.payloadSchema) || Option.isSome(Context.getOption(annotations, TakesFile))
  const takesKey = idempotencyKeyOf(endpoint, annotations) !== "none"
  const codes = new Set<ErrorCode>(always)
  const raise = (when: boolean, ...more: ReadonlyArray<ErrorCode>) => {
    if (when) for (const code of more) codes.add(code)
  }
  raise(scopesOf(annotations).length > 0, "forbidden")
  raise(Option.isSome(endpoint.pathSchema), "not_found")
  raise(takesBody || takesKey, "bad_request")
  raise(takesBody, "payload_too_large")
  raise(takesKey, "idempotency_conflict")
  raise(takesBody || Option.isSome(endpoint.urlParamsSchema), "validation_failed")
  for (const part of [api, group, endpoint]) {
    raise(true, ...Option.getOrElse(Context.getOption(part.annotations, Raises), () => []))
  }
  return [...codes]
}

/** The scopes of which an endpoint needs one; none: any valid credential will do. */
export const scopesOf = (annotations: Context.Context<never>) =>
  Option.getOrElse(Context.getOption(annotations, RequiredScopes), () => [])
