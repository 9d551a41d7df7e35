import type { ApplicationStatusResource, ApplicationWorkResource } from "@parley/core"
import { cell, durationText, tableOf } from "./table.js"

type Status = typeof ApplicationStatusResource.Type
type Work = Omit<typeof ApplicationWorkResource.Type, "applicationId" | "name">

/** What waits for each application, as a table, with the next steps. */
export const applicationsPage = ({ applications, rest, time }: Status, room: number | null): string => {
  if (applications.length === 0) return "Nothing waits, and nothing failed lately."
  const line = (label: ReadonlyArray<string>, work: Work): ReadonlyArray<string> => [
    ...label,
    `${work.queued}`,
    `${work.sending}`,
    work.oldestQueuedAt === null ? "-" : durationText(Math.max(0, time - work.oldestQueuedAt), "s"),
    `${work.failed}`,
    `${work.deliveries}`,
    `${work.disabledEndpoints}`,
    `${work.parked}`
  ]
  const lines = [
    ["APPLICATION", "NAME", "QUEUED", "SENDING", "OLDEST", "FAILED", "EVENTS", "DISABLED", "PARKED"],
    ...applications.map((work) => line([work.applicationId ?? "none", cell(work.name)], work)),
    ...(rest === null ? [] : [line([`${rest.applications} others`, "-"], rest)])
  ]
  return `${tableOf(lines, room)}

OLDEST: how long it has waited; EVENTS: deliveries that wait or run;
DISABLED: endpoints; PARKED: jobs. Counted: the first 2,000 jobs of each lane,
and failures among the newest 2,000 messages. Next: parley message list,
parley endpoint list --app <id>, parley job list`
}
