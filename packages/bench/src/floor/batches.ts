/** Collects items: those that arrive while a batch is written go into the next one. */
export const batches = <A>(
  write: (batch: ReadonlyArray<A>) => Promise<void>,
  onError: (error: unknown) => void,
  max = 256
): ((item: A) => void) => {
  let waiting: Array<A> = []
  let isWriting = false
  const start = (): void => {
    if (isWriting || waiting.length === 0) return
    isWriting = true
    const batch = waiting.length <= max ? waiting : waiting.slice(0, max)
    waiting = waiting.length <= max ? [] : waiting.slice(max)
    write(batch).then(() => {
      isWriting = false
      start()
    }, onError)
  }
  return (item) => {
    waiting.push(item)
    // What else arrives in this turn of the event loop goes into the same batch.
    if (waiting.length === 1 && !isWriting) setImmediate(start)
  }
}
