import { addCount } from "../kernel/addCount.js"
import type { EngineSettings } from "../kernel/EngineSettings.js"
import { lruCache } from "../kernel/lruCache.js"
import type { Instant } from "../model/Instant.js"
import { becomesDueLater, isServedBySubject, type Job, type JobOwner, type Lane, lanes } from "../model/Job.js"
import type { LaneClaim } from "./claimedByLane.js"
import { makeSlowSubjects, type RunningJob } from "./SlowSubjects.js"

const noSubjects: ReadonlySet<string> = new Set()

/**
 * Number of subjects in each lane whose workspace a process remembers: a claim may have to exclude them all, since it
 * names subjects only.
 */
const maxKnownSubjects = 1_000

/** How many more jobs this process may run, by lane, workspace and subject (docs/reference/queue.md#lanes). */
export interface LaneCapacity {
  /** Records the workspace of a subject with jobs in the lane, for claims that have to exclude it. */
  readonly recordOwner: (lane: Lane, owner: JobOwner) => void
  /** Counts a running or reserved job. */
  readonly add: (job: Job) => void
  readonly remove: (job: Job) => void
  /** Counts capacity of a lane that is reserved for a job whose owner is unknown yet. */
  readonly addToLane: (lane: Lane, by: 1 | -1) => void
  /** Counts capacity that is reserved for a job of this owner, beside that of the lane. */
  readonly addToOwner: (lane: Lane, owner: JobOwner, by: 1 | -1) => void
  /** Records whether the job that ended was slow. */
  readonly recordDuration: (ended: RunningJob) => void
  /** The claim request of a lane; null if the lane has no capacity for a claim. */
  readonly claimRequest: (lane: Lane) => LaneClaim | null
  /** Whether no claim can take jobs of this lane. */
  readonly isLaneFull: (lane: Lane) => boolean
  /** Whether no claim can take jobs of the workspace and subject of this job, even if the lane is not full. */
  readonly isOwnerFull: (one: RunningJob) => boolean
  /** Whether the lane takes a new job. With `claims`, it leaves the capacity of one claim free. */
  readonly laneTakesNew: (lane: Lane, claims: boolean) => boolean
  /** Whether workspace and subject take a new job of a lane that does. With `claims`, as for the lane. */
  readonly ownerTakesNew: (lane: Lane, owner: JobOwner, claims: boolean) => boolean
  /** Whether lane, workspace and subject take this new job. */
  readonly takesNew: (job: Job, claims: boolean) => boolean
  /** Serves a subject of a lane of served subjects, until the returned function is called. */
  readonly serve: (lane: Lane, subject: string, concurrency: number) => () => void
}

export const makeLaneCapacity = (
  limits: EngineSettings["lanes"],
  running: { readonly values: () => Iterable<RunningJob> },
  now: () => Instant
): LaneCapacity => {
  const slow = makeSlowSubjects()
  const counts = new Map<Lane, number>()
  const perLane = () => new Map<Lane, Map<string, number>>(lanes.map((lane) => [lane, new Map()]))
  const subjects = perLane()
  const workspaces = perLane()
  /** The workspaces of the subjects whose jobs this process inserted or ran last. */
  const owners = new Map(lanes.map((lane) => [lane, lruCache<string>(maxKnownSubjects)]))
  /** The maximum number of running jobs of each served subject, by lane. */
  const served = new Map<Lane, Map<string, number>>(lanes.filter(isServedBySubject).map((lane) => [lane, new Map()]))

  const subjectsOf = (lane: Lane) => subjects.get(lane) as Map<string, number>
  const workspacesOf = (lane: Lane) => workspaces.get(lane) as Map<string, number>
  const countOf = (lane: Lane): number => counts.get(lane) ?? 0
  const maxOf = (lane: Lane, subject: string): number =>
    Math.min(served.get(lane)?.get(subject) ?? limits[lane].perSubject, limits[lane].perSubject)

  const addToLane = (lane: Lane, by: 1 | -1) => counts.set(lane, countOf(lane) + by)
  const recordOwner = (lane: Lane, { subject, workspaceId }: JobOwner) =>
    void owners.get(lane)?.set(subject, workspaceId)
  const addToOwner = (lane: Lane, owner: JobOwner, by: 1 | -1) => {
    const { subject, workspaceId } = owner
    recordOwner(lane, owner)
    addCount(subjectsOf(lane), subject, by)
    addCount(workspacesOf(lane), workspaceId, by)
  }
  const count = (job: Job, by: 1 | -1) => {
    addToLane(job.lane, by)
    addToOwner(job.lane, job, by)
  }

  const claimSize = (lane: Lane): number => Math.ceil(limits[lane].concurrency / 4)
  const isLaneFull = (lane: Lane): boolean => limits[lane].concurrency - countOf(lane) < Math.max(1, claimSize(lane))
  const subjectHasRoom = (lane: Lane, subject: string): boolean =>
    (subjectsOf(lane).get(subject) ?? 0) <= maxOf(lane, subject) / 2
  const maxOfWorkspace = (lane: Lane): number => limits[lane].perWorkspace ?? Number.POSITIVE_INFINITY
  /** Whether a claim with jobs of this workspace alone would exceed its share. */
  const isWorkspaceFull = (lane: Lane, workspaceId: string): boolean =>
    (workspacesOf(lane).get(workspaceId) ?? 0) + claimSize(lane) > maxOfWorkspace(lane)

  const subjectsOfFullWorkspaces = (lane: Lane): ReadonlyArray<string> => {
    if (countOf(lane) + claimSize(lane) <= maxOfWorkspace(lane)) return []
    const known = owners.get(lane) ?? []
    return [...known].flatMap(([subject, workspaceId]) => (isWorkspaceFull(lane, workspaceId) ? [subject] : []))
  }

  /** The slow subjects, if the lane has no room for a claim of their jobs. */
  const excludedSlow = (lane: Lane): ReadonlySet<string> => {
    const { maxSlow } = limits[lane]
    const size = claimSize(lane)
    if (maxSlow === undefined || countOf(lane) + size <= maxSlow) return noSubjects
    const at = now()
    const found = new Set<string>()
    for (const one of running.values()) {
      if (one.job.lane === lane && !found.has(one.job.subject) && slow.isSlow(one, at)) found.add(one.job.subject)
    }
    let jobs = 0
    for (const subject of found) jobs += subjectsOf(lane).get(subject) ?? 0
    return jobs + size > maxSlow ? new Set([...found, ...slow.remembered(at)]) : noSubjects
  }

  /** New jobs leave the capacity of one claim free: otherwise waiting jobs could wait for ever. */
  const maxNew = (lane: Lane, max: number, claims: boolean): number =>
    claims ? Math.max(1, max - claimSize(lane)) : max
  const laneTakesNew = (lane: Lane, claims: boolean): boolean =>
    countOf(lane) < maxNew(lane, limits[lane].concurrency, claims)
  const workspaceTakesNew = (lane: Lane, workspaceId: string, claims: boolean): boolean =>
    (workspacesOf(lane).get(workspaceId) ?? 0) < maxNew(lane, maxOfWorkspace(lane), claims)
  /** Claims exclude a subject with more than half of its cap running: new jobs leave that half to jobs due later. */
  const subjectTakesNew = (lane: Lane, subject: string): boolean =>
    becomesDueLater(lane) ? subjectHasRoom(lane, subject) : (subjectsOf(lane).get(subject) ?? 0) < maxOf(lane, subject)
  /** Read first: {@link excludedSlow} reads all running jobs, and most new ones are of subjects that it cannot have. */
  const mayBeSlow = (lane: Lane, subject: string): boolean =>
    subjectsOf(lane).has(subject) || slow.isRemembered(subject, now())
  const ownerTakesNew = (lane: Lane, { subject, workspaceId }: JobOwner, claims: boolean): boolean =>
    workspaceTakesNew(lane, workspaceId, claims) &&
    subjectTakesNew(lane, subject) &&
    !(mayBeSlow(lane, subject) && excludedSlow(lane).has(subject))

  return {
    recordOwner,
    add: (job) => count(job, 1),
    remove: (job) => count(job, -1),
    addToLane,
    addToOwner,
    recordDuration: (ended) => {
      if (limits[ended.job.lane].maxSlow !== undefined) slow.ended(ended, now())
    },
    claimRequest: (lane) => {
      if (isLaneFull(lane)) return null
      const limit = claimSize(lane)
      const ofLane = served.get(lane)
      if (ofLane !== undefined) {
        const only = [...ofLane.keys()].filter((subject) => subjectHasRoom(lane, subject))
        const perSubject = Math.ceil(Math.min(...only.map((subject) => maxOf(lane, subject))) / 2)
        return only.length === 0 ? null : { lane, limit, perSubject, except: [], only }
      }
      const perSubject = Math.ceil(limits[lane].perSubject / 2)
      const fullSubjects = [...subjectsOf(lane).keys()].filter((subject) => !subjectHasRoom(lane, subject))
      const except = new Set([...fullSubjects, ...subjectsOfFullWorkspaces(lane), ...excludedSlow(lane)])
      return { lane, limit, perSubject, except: [...except] }
    },
    isLaneFull,
    isOwnerFull: (one) => {
      const { lane, subject, workspaceId } = one.job
      if (!subjectHasRoom(lane, subject) || isWorkspaceFull(lane, workspaceId)) return true
      return slow.isSlow(one, now()) && excludedSlow(lane).size > 0
    },
    laneTakesNew,
    ownerTakesNew,
    takesNew: (job, claims) =>
      laneTakesNew(job.lane, claims) &&
      served.get(job.lane)?.has(job.subject) !== false &&
      ownerTakesNew(job.lane, job, claims),
    serve: (lane, subject, concurrency) => {
      served.get(lane)?.set(subject, concurrency)
      return () => void served.get(lane)?.delete(subject)
    }
  }
}
