/** The audit log's action for a new status, such as `application.suspended`; none where the status stays as it was. */
export const statusAction = (subject: string, from: string, to: string | undefined): ReadonlyArray<string> =>
  to === undefined || to === from ? [] : [`${subject}.${to === "active" ? "activated" : to}`]
