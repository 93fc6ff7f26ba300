import { applyDecorators } from '@nestjs/common';

/** A handler's parameter as `read` reads it, which `described` adds to the API's description. */
export function describedParameter(
  read: ParameterDecorator,
  ...described: MethodDecorator[]
): ParameterDecorator {
  return (target, key, index) => {
    read(target, key, index);
    const descriptor = key === undefined ? undefined : Object.getOwnPropertyDescriptor(target, key);
    if (key !== undefined && descriptor) applyDecorators(...described)(target, key, descriptor);
  };
}
