/**
 * The reference service's numbers for causes that share a status (service/README.md). Another service need not send
 * them: they sharpen a message or save a request. Without them, reading the object decides the same.
 */
export const serviceCodes = {
  invalid: 400008,
  unknownReference: 40002,
  noSuchObject: 40401,
  noSuchRoute: 40402,
} as const;

/** Whether a service reports that the content of a request is invalid. */
export const isInvalidContent = ({ serviceCode }: { readonly serviceCode: number | undefined }) =>
  serviceCode === serviceCodes.invalid;
