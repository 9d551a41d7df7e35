import type { Call, History } from "./History.js"

/** Time of the first request with the key of this one: the 202 may be the replay of a request whose answer was lost. */
export const firstRequestAt = ({ calls }: History, { request }: Call): number => {
  const isSame = (call: Call) =>
    call.request.idempotencyKey === request.idempotencyKey && call.request.caller === request.caller
  return request.idempotencyKey === null ? request.at : (calls.find(isSame)?.request.at ?? request.at)
}
