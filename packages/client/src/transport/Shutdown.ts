/** The shutdown of the service that uses a client. */
export interface Shutdown {
  readonly hasBegun: () => boolean
  /** Calls `stop` when the shutdown begins. The result cancels that. */
  readonly onBegin: (stop: () => void) => () => void
}

/** One listener at most for all waits of a client: Node warns of more than ten on a signal. */
export const makeShutdown = (signal: AbortSignal | undefined): Shutdown => {
  const stops = new Set<() => void>()
  const begin = () => {
    for (const stop of stops) stop()
  }
  return {
    hasBegun: () => signal?.aborted === true,
    onBegin: (stop) => {
      if (stops.size === 0) signal?.addEventListener("abort", begin)
      stops.add(stop)
      return () => {
        stops.delete(stop)
        if (stops.size === 0) signal?.removeEventListener("abort", begin)
      }
    }
  }
}
