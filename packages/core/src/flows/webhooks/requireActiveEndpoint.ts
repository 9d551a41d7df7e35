import { Either } from "effect"
import { type Refusal, refuse } from "../../errors/Refusal.js"
import { type Endpoint, isActive } from "../../model/Endpoint.js"

/** The endpoint. Fails with 409 `invalid_transition` if it is disabled or deleted. */
export const requireActiveEndpoint = (endpoint: Endpoint): Either.Either<Endpoint, Refusal> => {
  if (isActive(endpoint)) return Either.right(endpoint)
  const reason =
    endpoint.status === "deleted"
      ? "The webhook endpoint is deleted."
      : "The webhook endpoint is disabled; enable it first."
  return Either.left(refuse("invalid_transition", {}, reason))
}
