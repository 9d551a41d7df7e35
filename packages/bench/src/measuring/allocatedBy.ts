import { GCProfiler, getHeapStatistics } from "node:v8"

/**
 * The bytes that a task allocates on V8's heap: before each garbage collection, what is used grew by what was allocated
 * since the previous one. Buffers and native memory do not count. The profiler of collections costs some time, so a
 * round is not measured by both.
 */
export const allocatedBy = async (task: () => Promise<unknown>): Promise<number> => {
  const profiler = new GCProfiler()
  const before = getHeapStatistics().used_heap_size
  profiler.start()
  await task()
  const { statistics } = profiler.stop()
  return allocated(
    before,
    statistics.map(({ afterGC, beforeGC }) => ({
      before: beforeGC.heapStatistics.usedHeapSize,
      after: afterGC.heapStatistics.usedHeapSize
    })),
    getHeapStatistics().used_heap_size
  )
}

/** The sum of the growths between collections. */
export const allocated = (
  start: number,
  collections: ReadonlyArray<{ readonly before: number; readonly after: number }>,
  end: number
): number => {
  let [bytes, used] = [0, start]
  for (const { after, before } of collections) {
    bytes += before - used
    used = after
  }
  return bytes + end - used
}
