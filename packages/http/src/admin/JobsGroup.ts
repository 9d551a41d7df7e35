import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { JobListQuery, JobResource } from "@parley/core"
import { cursorPage } from "../contract/cursorPage.js"
import { pathId } from "../contract/pathId.js"
import { Raises } from "../contract/Raises.js"
import { single } from "../contract/single.js"

const id = pathId("id", "resource")

/** Jobs of the queue (docs/reference/administration.md#jobs). */
export const JobsGroup = HttpApiGroup.make("jobs")
  .add(
    HttpApiEndpoint.get("list")`/jobs`
      .setUrlParams(JobListQuery)
      .addSuccess(cursorPage(JobResource))
      .annotate(OpenApi.Summary, "List the jobs of the queue, newest first; with a lane, by due time")
  )
  .add(
    HttpApiEndpoint.get("get")`/jobs/${id}`
      .addSuccess(single(JobResource))
      .annotate(OpenApi.Summary, "Read one job: its state, its next try, and its last error")
  )
  .add(
    HttpApiEndpoint.post("retry")`/jobs/${id}/retry`
      .addSuccess(single(JobResource))
      .annotate(Raises, ["invalid_transition"])
      .annotate(OpenApi.Summary, "Retry a parked job now")
  )
  .add(
    HttpApiEndpoint.post("drop")`/jobs/${id}/drop`
      .addSuccess(single(JobResource))
      .annotate(Raises, ["invalid_transition"])
      .annotate(
        OpenApi.Summary,
        "Give up a parked job, or a message that waits: the message, delivery, run or file fails"
      )
  )
  .annotate(OpenApi.Title, "Jobs")
  .annotate(OpenApi.Description, "Work in the queue, and the jobs that were parked after too many failures.")
