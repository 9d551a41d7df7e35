import type { Call } from "./History.js"

/** Whether a change took effect for certain, may have, or did not. A 5xx may come after the commit. */
const effectOf = ({ response }: Call): "certain" | "possible" | "none" =>
  response !== null && response.status < 300
    ? "certain"
    : response === null || response.status >= 500
      ? "possible"
      : "none"

/**
 * The values that a field may have had at some time in a period, in ms. `changes`: all calls that set it; `valueIn`
 * returns the value that a call sets, undefined if it leaves the field as it is.
 */
export const possibleValues = <A>(
  initial: A,
  changes: ReadonlyArray<Call>,
  valueIn: (call: Call) => A | undefined,
  from: number,
  until: number
): ReadonlySet<A> => {
  const sets = changes.flatMap((call) => {
    const value = valueIn(call)
    const effect = effectOf(call)
    if (value === undefined || effect === "none" || call.request.at > until) return []
    return [{ value, effect, from: call.request.at, until: call.response?.at ?? Infinity }]
  })
  const certain = sets.filter((set) => set.effect === "certain" && set.until <= from)
  const isReplaced = (until: number) => certain.some((later) => later.from > until)
  const values = new Set<A>()
  if (!isReplaced(-Infinity)) values.add(initial)
  for (const { until, value } of sets) if (!isReplaced(until)) values.add(value)
  return values
}
