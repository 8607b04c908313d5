// The end of every library that the simulator loads: where its kernels are.

#include "../include/msl/metalsim_abi.h"

extern "C" {
// The linker makes these; weak, as a library may have no variables.
extern const metalsim_kernel *const __start_metalsim_kernels[] __attribute__((weak));
extern const metalsim_kernel *const __stop_metalsim_kernels[] __attribute__((weak));
extern const metalsim_variable *const __start_metalsim_variables[] __attribute__((weak));
extern const metalsim_variable *const __stop_metalsim_variables[] __attribute__((weak));

extern const metalsim_library metalsim_exports __attribute__((visibility("default")));
const metalsim_library metalsim_exports = {
    METALSIM_ABI,
    __start_metalsim_kernels,
    __stop_metalsim_kernels,
    __start_metalsim_variables,
    __stop_metalsim_variables,
};
}
