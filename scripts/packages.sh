# Sourced by test.sh: what the full suite needs besides Go, and how to get it.

vulkan_present() {
	# No grep -q: it would end ldconfig by SIGPIPE, a failure under pipefail.
	ldconfig -p 2>/dev/null | grep 'libvulkan\.so\.1' >/dev/null &&
		compgen -G '/usr/share/vulkan/icd.d/*.json' >/dev/null
}

# install_packages makes a Vulkan device available on Debian, where it may.
install_packages() {
	[ "$(uname -s)" = Linux ] || return 0
	vulkan_present && return 0
	local packages=(libvulkan1 mesa-vulkan-drivers)
	if [ -n "${NO_INSTALL:-}" ]; then
		echo "No Vulkan driver, and NO_INSTALL is set: the wgsl backend will be skipped."
	elif [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
		echo "Installing for the wgsl backend (NO_INSTALL=1 forbids it): ${packages[*]}"
		apt-get update -q >/dev/null || true
		apt-get install -y -q "${packages[@]}" >/dev/null
	else
		echo "No Vulkan driver: the wgsl backend will be skipped. On Debian or Ubuntu:"
		echo "    sudo apt-get install ${packages[*]}"
	fi
}

# pin_lavapipe selects Mesa's CPU driver, unless a driver was chosen already.
pin_lavapipe() {
	[ -z "${VK_DRIVER_FILES:-}${VK_ICD_FILENAMES:-}" ] || return 0
	local icd
	icd=$(compgen -G '/usr/share/vulkan/icd.d/lvp_icd*.json' | head -n 1) || return 0
	# Mesa's device selection has nothing to select then, and complains of a
	# missing XDG_RUNTIME_DIR in containers.
	export VK_DRIVER_FILES=$icd VK_ICD_FILENAMES=$icd NODEVICE_SELECT=1
}
