import { library } from "../../.ci/library.js"
import { copySwaggerUi } from "../../.ci/swaggerUi.js"

export default { ...library, onSuccess: copySwaggerUi }
